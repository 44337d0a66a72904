SELECT store_now()
