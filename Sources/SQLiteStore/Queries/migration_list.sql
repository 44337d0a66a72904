SELECT version, digest, name, applied_at FROM migration ORDER BY version
