import TestSupport
import Testing

@testable import MessageInterchange

/// Exports and logs that a first run offers, found by their names.
@Suite struct NamedExportsTests {
  private static func write(_ names: [String], in folder: String) throws {
    for name in names { try Fixture.write([0x20], to: "\(folder)/\(name)") }
  }

  @Test func `exports are known by the names that programs give them, and listed by program`() throws {
    try Fixture.withFolder { home in
      try Self.write(
        [
          "WhatsApp Chat with Bob.zip", "Chat de WhatsApp con Ana.zip", "DataExport_2024-05-01/result.json",
          "Telegram Desktop/ChatExport_2024-05-02/result.json",
          "Tea Slack export May 1 2024 - May 3 2024.zip",
          "House - Rooms - tea [2].json", "takeout-20240501T000000Z-001.zip", "holiday.zip", "notes.json",
          "WhatsApp Chat with Bob.zip.part",
        ], in: "\(home)/Downloads")
      let found = NamedExports.found(in: AssistantHome(at: home))
      let names = found.map { exports in
        "\(exports.program): " + exports.paths.map { $0.dropFirst(home.count + 1) }.joined(separator: ", ")
      }
      #expect(
        names == [
          "WhatsApp: Downloads/Chat de WhatsApp con Ana.zip, Downloads/WhatsApp Chat with Bob.zip",
          "Telegram: Downloads/DataExport_2024-05-01, Downloads/Telegram Desktop/ChatExport_2024-05-02",
          "Slack: Downloads/Tea Slack export May 1 2024 - May 3 2024.zip",
          "Discord: Downloads/House - Rooms - tea [2].json",
          "Google Takeout: Downloads/takeout-20240501T000000Z-001.zip",
        ])
    }
  }

  @Test func `a variable names the folder of downloads, and a home without one has no exports`() throws {
    try Fixture.withFolder { home in
      try Self.write(["_chat.txt", "WhatsApp Chat with Bob.txt"], in: "\(home)/Received")
      #expect(NamedExports.found(in: AssistantHome(at: home)).isEmpty)
      let variables = ["HOME": home, "XDG_DOWNLOAD_DIR": "\(home)/Received"]
      let found = NamedExports.found(in: AssistantHome(environment: variables))
      #expect(found.map(\.paths) == [["\(home)/Received/WhatsApp Chat with Bob.txt"]])
    }
  }

  @Test func `logs of IRC clients are found where each keeps them`() throws {
    try Fixture.withFolder { home in
      try Self.write(
        [
          ".local/share/weechat/logs/irc.libera.#tea.weechatlog", "irclogs/libera/#tea.log",
          "irclogs/notes.txt",
          ".config/hexchat/logs/Libera/#tea.log", ".znc/users/ann/moddata/log/libera/#tea/2024-05-01.log",
        ], in: home)
      var search = AssistantSearch()
      search.look(into: AssistantHome(at: home), for: ImportFormats.chatLogs)
      #expect(
        search.findings.map { "\($0.program) \($0.count) \($0.path.dropFirst(home.count + 1))" } == [
          "WeeChat 1 .local/share/weechat/logs", "irssi 1 irclogs", "HexChat 1 .config/hexchat/logs",
          "ZNC 1 .znc/users/*/moddata/log",
        ])
      #expect(
        Set(ImportFormats.chatLogs.map(\.format)).isSubset(of: ImportFormats.all.map(\.name)),
        "each names a format that is read")
    }
  }
}
