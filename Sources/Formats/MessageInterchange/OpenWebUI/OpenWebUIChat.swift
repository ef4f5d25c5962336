internal import MessageModel

/// Open WebUI's chat: a tree of messages with the path taken last.
struct OpenWebUIChat {
  static let platform = "open-webui"

  private let id: String
  private let chat: JSONFields
  private let trunk: AssistantConversation
  private let beginning: Timestamp?

  private struct Node {
    var id: String
    var fields: JSONFields
    var original: Bytes
  }

  init(_ chat: JSONFields, id: String, title: String?, beginning: Timestamp?) throws(JSONError) {
    self.id = id
    self.chat = chat
    self.beginning = beginning
    var name = title ?? ""
    if name.isEmpty { name = try chat.plainText("title") ?? "" }
    trunk = AssistantConversation(Self.platform, id: id, title: name)
  }

  func give(
    by owner: String, _ times: inout LooseTime, _ reader: inout AssistantReader, into sink: inout RecordSink
  ) throws(JSONError) {
    let nodes = try nodes(into: &sink)
    var places: [String: Int] = [:]
    for (place, node) in nodes.enumerated() { places[node.id] = place }
    var parents: [Int?] = []
    let history = chat.object("history")
    for (place, node) in nodes.enumerated() {
      let parent = try node.fields.plainText("parentId")
      parents.append(history == nil ? (place > 0 ? place - 1 : nil) : parent.flatMap { places[$0] })
    }
    let tree = ConversationTree(
      parents: parents, leaf: try history?.plainText("currentId").flatMap { places[$0] })
    try giveFacts(nodes, reader, into: &sink)
    for place in tree.order(parents) {
      let node = nodes[place]
      do throws(JSONError) {
        let message = try OpenWebUIMessage(node.fields)
        guard !message.parts.isEmpty else { continue }
        let talk = tree.branches[place].map { start in
          reader.leftBehind(nodes[start].id, title: message.parts.first?.text, of: trunk)
        }
        let told = try node.fields["timestamp"].flatMap { value throws(JSONError) in
          times.read(try AssistantText.plain(value))
        }
        guard let moment = told ?? beginning.map({ ($0, .second) }) else {
          throw JSONError(reason: "it has no time")
        }
        reader.append(
          message.parts, at: moment.time, precision: moment.precision,
          by: message.isMine ? .named(owner) : .named(message.sender, model: message.model),
          id: "\(id)/\(node.id)", original: node.original, in: talk ?? trunk, copiedWithin: trunk, into: &sink
        )
      } catch {
        sink.skip(reason: "a message of '\(trunk.title)': \(error.reason)", record: node.original)
      }
    }
  }

  /// Older chats have a list instead of a tree.
  private func nodes(into sink: inout RecordSink) throws(JSONError) -> [Node] {
    var nodes: [Node] = []
    if let messages = chat.object("history")?["messages"], messages.first == UInt8(ascii: "{") {
      var scanner = JSONScanner(messages)
      try scanner.object { scanner, key throws(JSONError) in
        let value = try scanner.value()
        let id = try key.string()
        guard let fields = JSONFields(value) else {
          return sink.skip(reason: "a message of '\(trunk.title)': it is not an object", record: value)
        }
        nodes.append(Node(id: id, fields: fields, original: value))
      }
      return nodes
    }
    try chat.forEach("messages") { value throws(JSONError) in
      let fields = try JSONFields.reading(value)
      nodes.append(Node(id: try fields.plainText("id") ?? "\(nodes.count)", fields: fields, original: value))
    }
    return nodes
  }

  private func giveFacts(
    _ nodes: [Node], _ reader: AssistantReader, into sink: inout RecordSink
  ) throws(JSONError) {
    guard let beginning else { return }
    var facts = SessionFacts()
    for node in nodes {
      guard let usage = node.fields.object("usage") ?? node.fields.object("info") else { continue }
      facts.tokensIn += Self.count(usage, ["prompt_tokens", "input_tokens", "prompt_eval_count"])
      facts.tokensOut += Self.count(usage, ["completion_tokens", "output_tokens", "eval_count"])
    }
    let older = try chat.plainText("system")
    let system = try chat.object("params")?.plainText("system") ?? older
    for (name, part) in [("system", AssistantPart(kind: .system, text: system ?? "")), ("facts", facts.part)]
    {
      guard !part.isEmpty else { continue }
      reader.append(
        [part], at: beginning, precision: .second, id: "\(id)/\(name)", in: trunk, copiedWithin: trunk,
        into: &sink)
    }
  }

  private static func count(_ usage: JSONFields, _ keys: [String]) -> Int64 {
    keys.lazy.compactMap { usage.integer($0) }.first.map { min(max($0, 0), 1 << 40) } ?? 0
  }
}
