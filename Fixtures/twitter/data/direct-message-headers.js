window.YTD.direct_message_headers.part0 = [
  {
    "dmConversation": {
      "conversationId": "100-200",
      "messages": []
    }
  }
]
