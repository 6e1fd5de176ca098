"""Fuzzing: what must hold for every input, one sentence a target. `python -m fuzz --minutes N` runs them at length."""
