SELECT
    (SELECT page_count FROM pragma_page_count), (SELECT freelist_count FROM pragma_freelist_count),
    (SELECT page_size FROM pragma_page_size)
