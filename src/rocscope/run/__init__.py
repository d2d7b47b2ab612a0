"""Long work as a list of pure tasks: journalled as results arrive, resumable, on any executor.

| module | what it does |
|---|---|
| `study` | tasks, their seeds, the loop that runs and records them; the folder of journals, and shards |
| `journal` | results on disk as JSON lines with checksums: what was recorded survives kill -9 |
| `dask_executor` | tasks as futures of dask.distributed; arrays that they share are sent once |
"""
