"""The code that `Benchmarks/run` and `Benchmarks/peers/run` share."""
