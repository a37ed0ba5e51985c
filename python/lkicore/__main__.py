"""`python -m lkicore` is `lkicore`."""

from lkicore.cli import main

main()
