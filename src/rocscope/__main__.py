"""`python -m rocscope`: the same as the console command."""

from rocscope.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
