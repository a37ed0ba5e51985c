# What the runner of scenarios reads of a game.
