internal import MessageModel

/// ChatGPT's export: `conversations.json`, or `conversations-000.json` and so on, a list of chats.
extension ChatGPTHistory {
  private static let names: Set<String> = [
    "chat.html", "user.json", "user_settings.json", "message_feedback.json", "model_comparisons.json",
    "shared_conversations.json", "export_manifest.json", "conversation_asset_file_names.json",
    "library_files.json",
    "group_chats.json", "tool_messages.json", "shopping.json", "sora.json", "report.html",
  ]
  private static let chats = ["conversations.json", "conversations-000.json"]

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let isAsset = ChatGPTAssets.isAsset(sample.name) || sample.name.hasSuffix(".dat")
    guard isAsset || names.contains(sample.name) else { return false }
    let folder = sample.folder
    return chats.contains { name in
      companions.has(name, in: folder)
        || (isAsset && (1...2).contains { companions.has(name, in: Array(folder.dropLast($0))) })
    }
  }
}

/// Files by the ids in messages: `file-AbC-photo.png` and `file_0ab.dat` are `file-AbC` and `file_0ab`.
struct ChatGPTAssets: CompanionFiles {
  private var files: [(name: String, path: String)] = []

  static func isAsset(_ name: String) -> Bool { name.hasPrefix("file-") || name.hasPrefix("file_") }

  mutating func add(_ components: ArraySlice<String>) {
    guard let name = components.last, Self.isAsset(name) else { return }
    files.append((name, components.joined(separator: "/")))
  }

  mutating func sort() { files.sort { ($0.name, $0.path) < ($1.name, $1.path) } }

  func path(of id: String) -> String? {
    let index = files.partitioningIndex { $0.name >= id }
    guard index < files.count, files[index].name.hasPrefix(id) else { return nil }
    let rest = files[index].name.dropFirst(id.count)
    return rest.isEmpty || "-._".contains(rest[rest.startIndex]) ? files[index].path : nil
  }
}

/// Each chat is read as a whole, since the path taken through its tree is at the end.
struct ChatGPTHistory: JSONHistory {
  private var reader: AssistantReader
  private let isList: Bool
  private let assets: ChatGPTAssets
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("chatgpt", assistant: "ChatGPT", options)
    times = LooseTime(options)
    isList = JSONStream.beginsList(file.source)
    assets = file.companions.namedFiles(in: file.folder)
  }

  func descends(into path: [String]) -> Bool { isList && path.isEmpty }

  private struct Node {
    var id: String
    var message: JSONFields?
    var original: Bytes
    var parent: String?
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let chat = try JSONFields.reading(value)
    guard let id = try chat.firstText(["conversation_id", "id"]) else {
      throw JSONError(reason: "it has no id")
    }
    guard let mapping = chat["mapping"] else { throw JSONError(reason: "it has no messages") }
    var nodes: [Node] = []
    var places: [String: Int] = [:]
    var scanner = JSONScanner(mapping)
    try scanner.object { scanner, key throws(JSONError) in
      let value = try scanner.value()
      let fields = try JSONFields.reading(value)
      let id = try key.string()
      places[id] = nodes.count
      nodes.append(
        Node(
          id: id, message: fields.object("message"), original: value, parent: try fields.plainText("parent")))
    }
    let parents = nodes.map { $0.parent.flatMap { places[$0] } }
    let tree = ConversationTree(
      parents: parents, leaf: try chat.plainText("current_node").flatMap { places[$0] })
    let trunk = AssistantConversation(reader.platform, id: id, title: try chat.plainText("title"))
    let beginning = chat["create_time"].flatMap { times.read($0)?.time }
    var said: [Said] = []
    for place in tree.order(parents) {
      guard let message = nodes[place].message else { continue }
      do throws(JSONError) {
        let read = try ChatGPTMessage(message, assets, me: reader.me)
        if read.isSilent { continue }
        let time = message["create_time"].flatMap { times.read($0)?.time }
        said.append(Said(message: read, time: time, branch: tree.branches[place], place: place))
      } catch {
        sink.skip(reason: "a message of '\(trunk.title)': \(error.reason)", record: nodes[place].original)
      }
    }
    Self.putInOrder(&said, from: beginning)
    give(said, nodes, trunk, to: &sink)
  }

  private struct Said {
    var message: ChatGPTMessage
    var time: Timestamp?
    var branch: Int?
    var place: Int
  }

  /// Makes times ascend along paths: some are missing, and steps are recorded after the reply they led to.
  private static func putInOrder(_ said: inout [Said], from beginning: Timestamp?) {
    var next: [Int: Timestamp] = [:]
    for index in said.indices.reversed() {
      let branch = said[index].branch ?? -1
      if said[index].message.part.kind.isStep {
        if let time = said[index].time, let limit = next[branch], limit < time { said[index].time = limit }
      } else if let time = said[index].time {
        next[branch] = time
      }
    }
    var last: [Int: Timestamp] = [:]
    for index in said.indices {
      let branch = said[index].branch ?? -1
      let time = [said[index].time, last[branch]].compactMap { $0 }.max() ?? beginning
      said[index].time = time
      last[branch] = time
    }
  }

  private mutating func give(
    _ said: [Said], _ nodes: [Node], _ trunk: AssistantConversation, to sink: inout RecordSink
  ) {
    for one in said {
      guard let time = one.time else {
        sink.skip(reason: "a message of '\(trunk.title)' has no time", record: nodes[one.place].original)
        continue
      }
      let talk = one.branch.map { start in
        reader.leftBehind(Self.id(of: nodes[start]), title: one.message.part.text, of: trunk)
      }
      let name = one.message.part.kind == .system ? nil : one.message.sender
      reader.append(
        [one.message.part], at: time, by: .named(name, model: one.message.model),
        id: Self.id(of: nodes[one.place]), original: nodes[one.place].original, in: talk ?? trunk,
        copiedWithin: trunk, into: &sink)
    }
  }

  private static func id(of node: Node) -> String { (try? node.message?.plainText("id")) ?? node.id }
}
