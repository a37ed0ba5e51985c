"""The commands of `lkicore`, one module each; `lkicore.cli` puts them together."""
