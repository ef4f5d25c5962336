print("scrollback")
