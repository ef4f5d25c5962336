window.YTD.direct_messages_group.part0 = [
  {
    "dmConversation": {
      "conversationId": "555",
      "messages": [
        {
          "messageCreate": {
            "reactions": [],
            "urls": [],
            "mediaUrls": [
              "https://video.twimg.com/dm_video/925/vid/walk.mp4?tag=1"
            ],
            "editHistory": [],
            "id": "925",
            "senderId": "200",
            "text": "agenda attached",
            "createdAt": "2024-03-06T09:15:00.120Z"
          }
        },
        {
          "participantsLeave": {
            "userIds": [
              "300"
            ],
            "createdAt": "2024-03-06T09:10:00.000Z"
          }
        },
        {
          "conversationNameUpdate": {
            "initiatingUserId": "100",
            "name": "Lamp planning",
            "createdAt": "2024-03-06T09:05:00.000Z"
          }
        },
        {
          "participantsJoin": {
            "initiatingUserId": "100",
            "userIds": [
              "300",
              "400"
            ],
            "createdAt": "2024-03-06T09:00:00.000Z"
          }
        },
        {
          "conversationNameUpdate": {
            "initiatingUserId": "200",
            "name": "Lamps",
            "createdAt": "2024-03-06T08:59:00.000Z"
          }
        },
        {
          "joinConversation": {
            "initiatingUserId": "200",
            "participantsSnapshot": [
              "200",
              "100"
            ],
            "createdAt": "2024-03-06T08:58:00.000Z"
          }
        }
      ]
    }
  }
]
