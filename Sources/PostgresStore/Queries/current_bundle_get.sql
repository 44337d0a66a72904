SELECT hash FROM current_bundle
