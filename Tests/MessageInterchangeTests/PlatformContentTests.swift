import Foundation
import MessageInterchange
import MessageModel
import Testing

/// What platforms show beside plain text: polls, cards, places, shares.
@Suite struct PlatformContentTests {
  private func messages(_ text: String, _ name: String) throws -> [ImportPicture.Line] {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      return try ImportPicture([folder]).messages
    }
  }

  private func matrix(_ events: [(type: String, content: String)]) throws -> [ImportPicture.Line] {
    let list = events.enumerated().map { number, event in
      """
      {"type":"\(event.type)","sender":"@ann:x.org","event_id":"$\(number)","origin_server_ts":\(1_709_164_800_000 + number),
       "room_id":"!t:x.org","content":\(event.content)}
      """
    }
    return try messages(
      #"{"room_name":"Tea","messages":[\#(list.joined(separator: ","))]}"#, "matrix.json")
  }

  @Test func `a vote of Matrix names the answer and replies to its poll`() throws {
    let poll = #"""
      {"m.poll":{"question":{"m.text":[{"body":"Which pot?"}]},
       "answers":[{"m.id":"r","m.text":[{"body":"red"}]},{"m.id":"b","m.text":[{"body":"blue"}]}]}}
      """#
    let messages = try matrix([
      ("m.poll.start", poll),
      (
        "m.poll.response",
        #"{"m.relates_to":{"rel_type":"m.reference","event_id":"$0"},"m.selections":["b"]}"#
      ),
      ("m.poll.response", #"{"m.relates_to":{"rel_type":"m.reference","event_id":"$0"},"m.selections":[]}"#),
    ])
    #expect(messages.map(\.body) == ["Which pot?\n- red\n- blue", "voted for blue", "removed the vote"])
    #expect(messages.map { $0.details?.replyTo } == [nil, .external("$0"), .external("$0")])
  }

  @Test func `texts of Matrix that could not be decrypted read alike`() throws {
    let messages = try matrix([
      ("m.room.encrypted", #"{"algorithm":"x"}"#),
      ("m.room.message", #"{"msgtype":"m.bad.encrypted","body":"** Unable to decrypt **"}"#),
    ])
    #expect(Set(messages.map(\.body)) == ["message that could not be decrypted"])
    #expect(messages.allSatisfy { $0.kind == .unknown })
  }

  @Test func `a place of Matrix has its coordinates once`() throws {
    let messages = try matrix([
      ("m.room.message", #"{"msgtype":"m.location","body":"the jetty","geo_uri":"geo:1,2"}"#),
      ("m.room.message", #"{"msgtype":"m.location","body":"Location geo:1,2","geo_uri":"geo:1,2"}"#),
    ])
    #expect(messages.map(\.body) == ["the jetty\ngeo:1,2", "Location geo:1,2"])
  }

  @Test func `a post that is shared on Instagram is its owner's`() throws {
    let messages = try messages(
      #"""
      {"participants":[{"name":"Ann"},{"name":"Bo"}],"messages":[
       {"sender_name":"Ann","timestamp_ms":1709164801000,"content":"look","share":{"share_text":"warm the pot","original_content_owner":"potter"}},
       {"sender_name":"Ann","timestamp_ms":1709164800000,"content":"Ann sent an attachment.",
        "share":{"link":"https://x.org/1","share_text":"warm the pot","original_content_owner":"potter"}}],
       "title":"Tea","thread_path":"inbox/tea_1"}
      """#, "messages/inbox/tea_1/message_1.json")
    #expect(messages.map(\.body) == ["warm the pot\nhttps://x.org/1", "look\n\n» potter\n> warm the pot"])
    #expect(messages.map { $0.details?.forward?.author } == ["potter", "potter"])
    #expect(messages.map(\.sender) == ["Ann", "Ann"])
  }

  @Test func `Messenger's calls and deletions are told without a type`() throws {
    let messages = try messages(
      #"""
      {"participants":[{"name":"Ann"},{"name":"Bo"}],"messages":[
       {"sender_name":"Ann","timestamp_ms":1709164802000,"content":"Ann added Bo to the group.","users":[{"name":"Bo"}]},
       {"sender_name":"Ann","timestamp_ms":1709164801000,"is_unsent":true},
       {"sender_name":"Ann","timestamp_ms":1709164800000,"call_duration":61,"missed":false}],
       "title":"Tea","thread_path":"inbox/tea_1"}
      """#, "messages/inbox/tea_1/message_1.json")
    #expect(messages.map(\.body) == ["call, 61 s", "message deleted", "Ann added Bo to the group."])
    #expect(messages.map(\.kind) == [.call, .system, .join])
  }

  @Test func `cards, polls and votes of iMessage are text`() throws {
    let messages = try ImportPicture([Fixture.path("imessage/chat.db")]).messages
    let bodies = Set(messages.map(\.body))
    #expect(
      bodies.isSuperset(of: [
        """
        Tea Table: A table for two
        The Kettle – Café
        Table for two
        Friday at four
        https://example.org/table/2
        """, "Which pot?\n- the red one\n- the blue one", "voted for the blue one",
        "Digital Touch: heartbeat",
        "handwritten message", "How to warm a pot\nIn three steps\nhttps://example.org/pot",
        "https://example.org/pot", "About cups\nthey are in the shed", "bring the spare cups",
        "added ann@example.org", "changed the picture of the group", "[org.example.dice]",
      ]))
  }

  @Test func `an iPhone's WhatsApp has polls with votes, and forwards`() throws {
    let messages = try ImportPicture([Fixture.path("whatsapp-ios")]).messages
    #expect(messages.contains { $0.body == "Which tea?\n- green (1)\n- black (2)" })
    let forwarded = messages.filter { $0.details?.forward != nil }
    #expect(forwarded.map { $0.details?.forward?.isFrequent } == [false, true])
  }

  @Test func `Discord's pages have cards and forwarded messages`() throws {
    let messages = try ImportPicture([Fixture.path("discord-html/tea.html")]).messages
    let card =
      "the list\nTea shop\nThis week\ntwo sorts\nhttps://example.org/list\ngreen: 41 kg\nblack: 7 kg\nwhile it lasts"
    #expect(messages.contains { $0.body == card })
    let forwarded = messages.first { $0.details?.forward != nil }
    #expect(forwarded?.body == "the kettle is <hot>" && forwarded?.sender == "Bo")
    #expect(
      forwarded?.details?.attachments.map(\.name) == ["hot.png"] && forwarded?.details?.forward?.time != nil)
  }

  @Test func `Slack's cards have authors, links and pictures, programs their blocks, and calls a length`()
    throws
  {
    let messages = try messages(
      #"""
      [{"type":"message","bot_id":"B1","text":"","ts":"1770000001.000100","attachments":[{"pretext":"new","author_name":"ann",
        "title":"Warm the pot","title_link":"https://x.org/1","text":"first","image_url":"https://x.org/1.png"}]},
       {"type":"message","bot_id":"B1","text":"Order 12","ts":"1770000002.000100","blocks":[
        {"type":"section","text":{"type":"mrkdwn","text":"Two pots"},"accessory":{"type":"button","text":{"type":"plain_text","text":"Open"},
         "url":"https://x.org/2"}},
        {"type":"image","alt_text":"a pot","image_url":"https://x.org/2.png"}]},
       {"type":"message","bot_id":"B1","text":"Two pots","ts":"1770000003.000100","blocks":[
        {"type":"section","text":{"type":"mrkdwn","text":"Two pots"}},{"type":"context","elements":[{"type":"mrkdwn","text":"of copper"}]}]},
       {"type":"message","subtype":"huddle_thread","user":"U1","text":"","ts":"1770000004.000100",
        "room":{"date_start":1770000004,"date_end":1770000099}}]
      """#, "tea/2026-02-02.json")
    #expect(
      messages.map(\.body) == [
        "new\nann\nWarm the pot (https://x.org/1)\nfirst\nhttps://x.org/1.png",
        "Order 12\nTwo pots\nOpen (https://x.org/2)\na pot (https://x.org/2.png)", "Two pots\nof copper",
        "huddle, 95 s",
      ])
  }

  @Test func `Teams names the author of a forwarded message`() throws {
    let messages = try ImportPicture([Fixture.path("teams/Ann and Ben.json")]).messages
    let forwarded = messages.filter { $0.details?.forward != nil }
    #expect(forwarded.allSatisfy { $0.details?.forward?.author == "Mia Miller" && $0.sender == "Ann" })
    #expect(
      Set(forwarded.map(\.body)) == ["the mill is closed", "take care\n\n» Mia Miller\n> the mill is closed"])
    #expect(
      messages.contains {
        $0.body == "Tea order\n2 < 3 cups\ngreen: 41 g\nblack: 7 g\nOrder (https://example.org/order)"
      })
  }

  @Test func `a card of Skype is read from what it encodes`() throws {
    let messages = try ImportPicture([Fixture.path("skype/messages.json")]).messages
    #expect(
      messages.contains {
        $0.body == "Kettle bot\nTea of the day\ngreen & hot\nOrder (https://example.org/order)"
      })
    #expect(messages.contains { $0.body == "Which cup?\n- mine\n- yours" })
    #expect(messages.contains { $0.body == "-33.9,18.4" })
  }

  @Test func `a mail tells its words from those of the mails within`() throws {
    let messages = try ImportPicture([Fixture.path("mail/harbour.mbox")]).messages
    let forwarded = messages.filter { $0.details?.forward != nil }
    #expect(forwarded.map(\.sender) == ["Eve", "Eve", "Eve"])
    #expect(forwarded.allSatisfy { $0.details?.forward?.author == "Mia Miller" })
    #expect(forwarded.map { $0.details?.forward?.isQuoted } == [true, true, false])
    #expect(
      forwarded.dropFirst().map(\.body) == [
        """
        both of them

        » Mia Miller
        > the mill is closed
        > on Monday

        » Ben Baker
        > so is the bakery
        """, "only what Mia wrote",
      ])
  }
}
