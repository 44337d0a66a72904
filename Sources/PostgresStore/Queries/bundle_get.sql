SELECT archive FROM bundle WHERE hash = $1
