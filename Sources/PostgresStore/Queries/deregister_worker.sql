SELECT deregister_worker FROM deregister_worker($1, $2)
