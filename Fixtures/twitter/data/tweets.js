window.YTD.tweets.part0 = [
  {
    "tweet": {
      "id": "1",
      "full_text": "not a message"
    }
  }
]
