-- One notice of a process to all others, as the store sends it. For pgbench.
NOTIFY dossier, 'ready';
