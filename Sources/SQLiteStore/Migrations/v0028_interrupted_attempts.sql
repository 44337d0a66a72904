-- An attempt that was interrupted keeps its number until it goes on.
UPDATE job SET attempt = attempt + 1 WHERE status = 'pending' AND interrupted = 1;
