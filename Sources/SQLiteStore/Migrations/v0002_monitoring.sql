-- What operators ask about model calls.

-- The part of `cache_write_tokens` that the provider keeps for an hour; its price is another one.
ALTER TABLE model_call ADD COLUMN cache_write_1h_tokens INTEGER NOT NULL DEFAULT 0;
-- The cost at the list price: nothing read from a cache or written to one, and not by batch. `NULL`: not known.
ALTER TABLE model_call ADD COLUMN list_micro_dollars INTEGER;
-- What the tokens written to a cache cost beyond the price of input, in a call that is not by batch.
ALTER TABLE model_call ADD COLUMN write_micro_dollars INTEGER NOT NULL DEFAULT 0;
ALTER TABLE model_call ADD COLUMN prompt TEXT;
-- Whether a person waited for the call.
ALTER TABLE model_call ADD COLUMN interactive INTEGER NOT NULL DEFAULT 0 CHECK (interactive IN (0, 1));
-- The wait for the provider's budget.
ALTER TABLE model_call ADD COLUMN waited_ms INTEGER;
ALTER TABLE model_call ADD COLUMN first_byte_ms INTEGER;
ALTER TABLE model_call ADD COLUMN first_content_ms INTEGER;
-- The longest pause between two contents.
ALTER TABLE model_call ADD COLUMN longest_gap_ms INTEGER;
-- The prefixes that the call marked, as `CallMark.text` has them.
ALTER TABLE model_call ADD COLUMN cache_marks TEXT;
