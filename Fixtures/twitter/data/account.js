window.YTD.account.part0 = [
  {
    "account": {
      "email": "a@example.org",
      "accountId": "100",
      "username": "ann_h",
      "accountDisplayName": "Ann"
    }
  }
]
