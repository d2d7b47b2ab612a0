"""Long work as a list of pure tasks: journalled as results arrive, resumable, on any executor.

| module | what it does |
|---|---|
| `study` | the list of tasks, their seeds, and the loop that runs and records them |
| `journal` | results on disk as JSON lines with checksums: what was recorded survives kill -9 |
| `folder` | the folder of journals: one study in it, no work done twice, locks, shards merged |
| `dask_executor` | tasks as futures of dask.distributed; arrays that they share are sent once |
"""
