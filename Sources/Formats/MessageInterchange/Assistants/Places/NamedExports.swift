internal import Foundation
internal import MessageModel

/// The exports of one program in the folder of downloads, found by their names alone.
package struct NamedExports: Hashable, Sendable {
  /// The program that gives its exports such names.
  package let program: String
  /// The files and folders, in the order of their names.
  package internal(set) var paths: [String] = []

  /// Searches a home's folder of downloads (`$XDG_DOWNLOAD_DIR`); nothing in it is opened.
  ///
  /// - Complexity: O(*n* log *n*) in the *n* names of the folder.
  package static func found(in home: AssistantHome) -> [NamedExports] {
    var found = known.map { NamedExports(program: $0.program) }
    for place in downloads {
      for (base, parts) in home.folders(of: place) {
        let folder = ([base] + parts).joined(separator: "/")
        for name in names(in: folder) {
          guard let index = known.firstIndex(where: { $0.fits(name) }) else { continue }
          found[index].paths.append("\(folder)/\(name)")
        }
      }
    }
    return found.filter { !$0.paths.isEmpty }
  }

  private static func names(in folder: String) -> [String] {
    guard let listing = FolderListing.opened(at: folder).listing else { return [] }
    var names: [String] = []
    while let name = listing.next() { names.append(name) }
    return names.sorted()
  }

  private static let downloads = [
    AssistantPlace(.home, "Downloads", variable: "XDG_DOWNLOAD_DIR"),
    AssistantPlace(.home, "Downloads", "Telegram Desktop", variable: "XDG_DOWNLOAD_DIR"),
  ]

  /// The names of exports, in which each `*` stands for any text.
  private struct Known {
    let program: String
    let names: [String]

    init(_ program: String, _ names: String...) { (self.program, self.names) = (program, names) }

    func fits(_ name: String) -> Bool { names.contains { AssistantPlace.fits(name, $0) } }
  }

  private static let known = [
    Known("WhatsApp", "*WhatsApp*.zip", "*WhatsApp*.txt"),
    Known("Telegram", "ChatExport_*", "DataExport_*"),
    Known("Slack", "* Slack export *.zip", "slackdump_*"),
    Known("Discord", "* - * [*].json", "* - * [*].html"),
    Known("Messenger", "facebook-*.zip"),
    Known("Instagram", "instagram-*.zip"),
    Known("Google Takeout", "takeout-*.zip", "takeout-*.tgz"),
    Known("Element", "matrix - *Chat Export*"),
    Known("Skype", "*_export.tar"),
    Known("X, Twitter", "twitter-*.zip"),
    Known("LINE", "[LINE]*.txt"),
    Known("KakaoTalk", "KakaoTalk*.txt"),
    Known("SMS Backup & Restore", "sms-*.xml"),
    Known("Claude.ai", "data-*-batch-*.zip"),
    Known("ChatGPT", "chatgpt*.zip"),
    Known("Mail", "*.mbox"),
  ]
}

extension ImportFormats {
  /// The IRC clients whose logs a first run offers, and where each keeps them.
  package static let chatLogs: [AssistantEntry] = [
    logs(
      "irc-weechat", "WeeChat",
      AssistantPlace(.data, "weechat", "logs", files: "*.weechatlog", depth: 3, variable: "WEECHAT_HOME"),
      AssistantPlace(.home, ".weechat", "logs", files: "*.weechatlog", depth: 3)),
    logs("irc-irssi", "irssi", AssistantPlace(.home, "irclogs", files: "*.log", depth: 3)),
    logs("irc-hexchat", "HexChat", AssistantPlace(.settings, "hexchat", "logs", files: "*.log", depth: 3)),
    logs(
      "irc-znc", "ZNC",
      AssistantPlace(.home, ".znc", "users/*/moddata/log", files: "*.log", depth: 3),
      AssistantPlace(.home, ".znc", "moddata/log", files: "*.log", depth: 3)),
    logs(
      "irc-thelounge", "The Lounge", AssistantPlace(.home, ".thelounge", "logs", files: "*.log", depth: 3)),
  ]

  private static func logs(_ format: String, _ client: String, _ places: AssistantPlace...) -> AssistantEntry
  {
    AssistantEntry(format, client, .lines, places, versions: "", verified: "")
  }
}
