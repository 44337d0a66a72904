-- A failed job keeps its whole journal, so that the answer that failed its checks can be looked into. A retry by a
-- person drops the steps from here on; NULL drops none.
ALTER TABLE job ADD COLUMN drop_steps_from INTEGER;
