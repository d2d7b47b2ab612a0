"""Long work as a list of pure tasks: journalled as results arrive, resumable, on any executor.

| module | what it does |
|---|---|
| `study` | the list of tasks, their seeds, and the loop that runs and records them |
| `journal` | results on disk in SQLite: what was committed survives kill -9 |
| `write_ahead` | whether the log beside a journal lost a commit |
| `manifest` | what a journal belongs to: name, seed, parameters, tasks and data |
| `folder` | the folder of journals: one study in it, no work done twice, shards merged |
| `lock` | locks that die with their holders |
| `shards` | a study cut into parts for batch systems |
| `dask_executor` | tasks as futures of dask.distributed |
| `parcels` | tasks as bytes, with arrays that they share sent once |
"""
