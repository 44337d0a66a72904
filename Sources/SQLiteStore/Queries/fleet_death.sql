UPDATE fleet_deaths SET count = count + 1 RETURNING count
