SELECT version, name, applied_at, digest FROM migration ORDER BY version
