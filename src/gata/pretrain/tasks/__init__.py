"""The pre-training tasks, a file each."""
