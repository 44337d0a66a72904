SELECT record_document($1::text::jsonb, NULL, NULL, $2)
