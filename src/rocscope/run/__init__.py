"""Long work as a list of pure tasks: journalled as results arrive, resumable, on any executor.

| module | what it does |
|---|---|
| `study` | the list of tasks, their seeds, and the loop that runs and records them |
| `journal` | results on disk in SQLite: what was committed survives kill -9 |
| `lock` | one process at a time on a journal, by a lock that dies with its holder |
| `shards` | a study cut into parts for batch systems, and their journals merged |
| `dask_executor` | tasks as futures of dask.distributed |
"""
