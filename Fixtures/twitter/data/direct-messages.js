window.YTD.direct_messages.part0 = [
  {
    "dmConversation": {
      "conversationId": "100-200",
      "messages": [
        {
          "messageCreate": {
            "reactions": [],
            "urls": [],
            "mediaUrls": [],
            "editHistory": [],
            "id": "903",
            "senderId": "200",
            "recipientId": "100",
            "text": "",
            "createdAt": "2024-02-29T10:02:00.000Z"
          }
        },
        {
          "reactionCreate": {
            "senderId": "200",
            "reactionKey": "like",
            "eventId": "9",
            "createdAt": "2024-02-29T10:01:30.000Z"
          }
        },
        {
          "messageCreate": {
            "reactions": [
              {
                "senderId": "200",
                "reactionKey": "like",
                "eventId": "1",
                "createdAt": "2024-02-29T10:01:10.000Z"
              },
              {
                "senderId": "100",
                "reactionKey": "funny",
                "eventId": "2",
                "createdAt": "2024-02-29T10:01:20.000Z"
              }
            ],
            "urls": [
              {
                "url": "https://t.co/aaa",
                "expanded": "https://quay.example/map",
                "display": "quay.example/map"
              },
              {
                "url": "https://t.co/bbb",
                "expanded": "https://twitter.com/messages/media/902",
                "display": "pic.twitter.com/bbb"
              }
            ],
            "mediaUrls": [
              "https://ton.twitter.com/dm/902/77/Lamp1.jpg"
            ],
            "editHistory": [],
            "id": "902",
            "senderId": "100",
            "recipientId": "200",
            "text": "the map: https://t.co/aaa https://t.co/bbb",
            "createdAt": "2024-02-29T10:01:00.500Z"
          }
        },
        {
          "messageCreate": {
            "reactions": [],
            "urls": [],
            "mediaUrls": [],
            "editHistory": [],
            "id": "901",
            "senderId": "200",
            "recipientId": "100",
            "text": "lamps &amp; oars &lt;3",
            "createdAt": "2024-02-29T10:00:00.123Z"
          }
        }
      ]
    }
  },
  {
    "dmConversation": {
      "conversationId": "100-300",
      "messages": [
        {
          "welcomeMessageCreate": {
            "id": "911",
            "senderId": "300",
            "recipientId": "100",
            "text": "Welcome to the shop",
            "createdAt": "2024-03-01T08:00:00.000Z",
            "urls": [],
            "mediaUrls": []
          }
        },
        {
          "messageDelete": {
            "id": "912",
            "createdAt": "2024-03-01T07:00:00.000Z"
          }
        },
        {
          "messageCreate": {
            "reactions": [],
            "urls": [],
            "mediaUrls": [],
            "editHistory": [],
            "id": "913",
            "senderId": "300",
            "text": "without a time"
          }
        }
      ]
    }
  }
]
