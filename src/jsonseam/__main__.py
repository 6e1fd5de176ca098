"""`python -m jsonseam` is `jsonseam`."""

from jsonseam.cli import main

if __name__ == "__main__":
    main()
