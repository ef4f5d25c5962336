/// Discord's data package: the requester's own messages, a folder per channel.
struct DiscordPackageFormat: MultiFileFormat {
  let name = "discord-package"
  let title = "Discord's data package (own messages alone)"
  let whole = "Discord's data package"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first else { return 0 }
    if Self.isTable(first) { return 95 }
    guard sample.firstSign == UInt8(ascii: "[") else { return 0 }
    let hasKeys = sample.has("\"ID\"") && sample.has("\"Timestamp\"") && sample.has("\"Contents\"")
    return hasKeys ? 94 : 0
  }

  private static func isTable(_ header: ArraySlice<UInt8>) -> Bool {
    header.elementsEqual("ID,Timestamp,Contents,Attachments".utf8)
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let channel = file.companions.discordChannel(of: file)
    if let first = (try? FormatSample(file))?.lines.first, Self.isTable(first) {
      return DiscordPackageTableReader(file: file, DiscordPackageMessages(channel, options))
    }
    return JSONHistoryReader(
      DiscordPackageHistory(messages: DiscordPackageMessages(channel, options)), file: file)
  }

  private static let folders: Set<String> = [
    "account", "servers", "activity", "activities", "programs", "messages", "ads", "support_tickets",
  ]

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard sample.mayGoWith() else { return false }
    let folder = sample.folder
    if sample.name == "channel.json" {
      return companions.has("messages.json", in: folder) || companions.has("messages.csv", in: folder)
    }
    // Only files in a package's folders justify a search of all files.
    guard folder.contains(where: { Self.folders.contains($0.lowercased()) }) else { return false }
    return (0...folder.count).contains { count in
      ["messages", "Messages"].contains { companions.isDiscordPackage(Array(folder[..<count]) + [$0]) }
    }
  }
}

/// The channel and owner of a file's messages.
struct DiscordPackageChannel {
  var id: String
  var title: String
  var isDirect: Bool?
  var owner: String?
  var ownerID: String?
}

struct DiscordPackage {
  var channels: [[String]: DiscordPackageChannel] = [:]
  /// From `index.json`, by id.
  var names: [String: String] = [:]
  var places: Set<[String]> = []
  var owner: (id: String?, name: String?)?

  private static let mostNames = 500_000

  mutating func learn(_ file: InputFile, _ fields: JSONFields) {
    let folder = file.folder
    switch file.name {
    case "channel.json":
      guard let id = try? fields.plainText("id") else { return }
      let guild = fields.object("guild")
      let type = (try? fields.plainText("type")) ?? ""
      let isDirect =
        type == "1" || type == "DM" ? true : guild == nil && type != "3" && type != "GROUP_DM" ? nil : false
      let name = (try? fields.plainText("name")) ?? nil
      let house = (try? guild?.plainText("name")) ?? nil
      let own = name.map { name in house.map { "\($0) > \(name)" } ?? name }
      channels[folder] = DiscordPackageChannel(id: id, title: own ?? "", isDirect: isDirect)
    case "index.json":
      guard folder.last?.lowercased() == "messages" else { return }
      places.insert(folder)
      for key in fields.keys where names.count < Self.mostNames && key.utf8.allSatisfy({ $0 &- 48 < 10 }) {
        names[key] = (try? fields.plainText(key)) ?? nil
      }
    case "user.json":
      guard fields["username"] != nil || fields["global_name"] != nil else { return }
      let name = try? fields.firstText(["global_name", "username"])
      owner = ((try? fields.plainText("id")) ?? nil, name ?? nil)
    default: break
    }
  }

  func channel(in folder: [String]) -> DiscordPackageChannel {
    // `c123`, or `123` in early packages.
    let number = folder.last.map { $0.hasPrefix("c") ? String($0.dropFirst()) : $0 } ?? ""
    var channel = channels[folder] ?? DiscordPackageChannel(id: number, title: "")
    if channel.title.isEmpty, let name = names[channel.id], name != "None", name != "Unknown channel" {
      channel.title = name
      for start in ["Direct Message with "] where name.hasPrefix(start) {
        channel.title = String(name.dropFirst(start.count))
        channel.isDirect = true
      }
    }
    if channel.title.isEmpty { channel.title = "channel \(channel.id)" }
    channel.owner = owner?.name
    channel.ownerID = owner?.id
    return channel
  }
}

extension Companions {
  /// O(files), once.
  func discordChannel(of file: InputFile) -> DiscordPackageChannel {
    package.channel(in: file.folder)
  }

  func isDiscordPackage(_ folder: [String]) -> Bool { package.places.contains(folder) }

  private var package: DiscordPackage {
    if let discordPackage { return discordPackage }
    var found = DiscordPackage()
    forEachObject(["channel.json", "index.json", "user.json"]) { found.learn($0, $1) }
    discordPackage = found
    return found
  }
}
