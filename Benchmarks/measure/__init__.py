"""What `Benchmarks/run` and `Benchmarks/peers/run` share."""
