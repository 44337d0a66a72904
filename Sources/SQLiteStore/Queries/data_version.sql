-- Changes whenever another connection has committed.
PRAGMA data_version
