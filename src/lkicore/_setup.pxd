# Positions set up as data, before a game is played on from them.
