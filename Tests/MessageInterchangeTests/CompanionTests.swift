import MessageInterchange
import Testing

/// Files that go with an export have no messages of their own; others may have the same names.
@Suite struct CompanionTests {
  private static let names = [
    "users", "channels", "groups", "dms", "mpims", "org_users", "canvases", "lists", "integration_logs",
    "file_conversations", "huddle_transcripts", "canvas_in_the_conversation", "realm", "attachment",
    "migration_status", "stats", "records", "analytics", "emoji", "group_info", "user_info",
  ]

  @Test func `topics of zulip-archive may be called as other exports call their lists`() throws {
    try Fixture.withFolder { folder in
      for (id, name) in Self.names.enumerated() {
        let topic =
          #"[{"id": \#(id), "sender_full_name": "Ann", "timestamp": 1700000000, "content": "<p>\#(name)</p>"}]"#
        try Fixture.write(Array(topic.utf8), to: "\(folder)/zulip_json/1-general/\(name).json")
      }
      let picture = try ImportPicture([folder])
      #expect(picture.conversations == Set(Self.names.map { "general > \($0)" }))
      #expect(picture.skipped.isEmpty)
    }
  }

  @Test func `loose files may be called as exports call their lists, where no export is`() throws {
    try Fixture.withFolder { folder in
      for name in Self.names {
        let log = #"[{"time": "2024-05-01T10:00:00Z", "name": "Ann", "id": "\#(name)", "text": "\#(name)"}]"#
        try Fixture.write(Array(log.utf8), to: "\(folder)/logs of \(name)/\(name).json")
      }
      let picture = try ImportPicture([folder])
      #expect(Set(picture.messages.map(\.body)) == Set(Self.names))
      #expect(picture.skipped.isEmpty)
    }
  }

  @Test func `the lists of a Slack export go with it, and those of its channels`() throws {
    try Fixture.withFolder { folder in
      let day = #"[{"type":"message","user":"U1","text":"hello","ts":"1709164800.000100"}]"#
      let files = [
        "users.json": #"[{"id":"U1","name":"ann","profile":{"real_name":"Ann"}}]"#,
        "channels.json": #"[{"id":"C1","name":"tea","members":["U1"]}]"#, "dms.json": "[]",
        "groups.json": #"[{"id":"G1","name":"few"}]"#, "mpims.json": #"[{"id":"M1","name":"mpdm-a--b-1"}]"#,
        "integration_logs.json": #"[""]"#, "lists.json": #"[{"id":"F1","title":"a list"}]"#,
        "canvases.json": #"[{"id":"F2","title":"a canvas"}]"#,
        "tea/canvas_in_the_conversation.json": #"[{"id":"F3","title":"a canvas"}]"#,
      ]
      for (name, text) in files { try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)") }
      try Fixture.write(Array(day.utf8), to: folder + "/tea/2024-02-29.json")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.sender) == ["Ann"])
      #expect(picture.skipped.map(\.reason) == files.map { _ in "it goes with a Slack export" })
    }
  }

  @Test func `the lists of a Zulip export go with it, and lists of that name elsewhere are named`() throws {
    try Fixture.withFolder { folder in
      let message =
        #"{"zerver_message":[{"id":1,"sender":1,"recipient":1,"content":"hi","date_sent":1700000000.0}]}"#
      let files = [
        "realm.json": #"{"zerver_realm":[]}"#, "attachment.json": #"{"zerver_attachment":[]}"#,
        "migration_status.json": #"{"migrations_by_app":{}}"#,
        "analytics.json": #"{"analytics_realmcount":[]}"#,
        "uploads/records.json": "[]", "avatars/1/records.json": #"[{"path":"a.png"}]"#,
        "emoji/records.json": "[]",
      ]
      for (name, text) in files { try Fixture.write(Array(text.utf8), to: "\(folder)/export/\(name)") }
      try Fixture.write(Array(message.utf8), to: folder + "/export/messages-000001.json")
      try Fixture.write(Array(#"[{"path":"a.png"}]"#.utf8), to: folder + "/other/records.json")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == ["hi"])
      #expect(picture.skipped.filter { $0.scope == .ignored }.count == files.count)
      let named = picture.skipped.filter { $0.scope == .file }.map { $0.path.replacing(folder, with: "") }
      #expect(named == ["/other/records.json"])
    }
  }
}
