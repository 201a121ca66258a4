module plainwords

go 1.26.8
