internal import MessageModel

/// A chat that a site exports as a whole, with messages that name the ones they follow. The last one ends the
/// path that was taken.
struct AssistantChat {
  /// A message, or a place without one, to which others refer.
  struct Node {
    var id: String
    var parent: String?
    var parts: [AssistantPart] = []
    var time: Timestamp?
    var isMine = false
    var model: String?
    let original: Bytes

    /// The first text.
    var words: String? { parts.first { !$0.isBlank }?.text }
  }

  let id: String
  var title: String?
  /// The time of messages without one.
  var beginning: Timestamp?
  var nodes: [Node] = []

  /// What a report calls it.
  var name: String { title?.isEmpty == false ? title ?? id : id }

  init(id: String) { self.id = id }

  /// Appends the messages in reading order. Each abandoned branch becomes a conversation.
  func append(by reader: inout AssistantReader, to sink: inout RecordSink) {
    let question = nodes.first { $0.isMine && $0.words != nil }?.words
    let trunk = AssistantConversation(
      reader.platform, id: id, title: title.flatMap { $0.isEmpty ? nil : $0 } ?? question)
    let places = Dictionary(nodes.enumerated().map { ($1.id, $0) }) { $1 }
    let parents = nodes.map { node in node.parent.flatMap { places[$0] } }
    let tree = ConversationTree(parents: parents, leaf: nil)
    for place in tree.order(parents) where !nodes[place].parts.isEmpty {
      let node = nodes[place]
      guard let time = node.time ?? beginning else {
        sink.skip(reason: "a message of '\(trunk.title)' has no time", record: node.original)
        continue
      }
      let branch = tree.branches[place].map { start in
        reader.leftBehind(nodes[start].id, title: nodes[start].words, of: trunk)
      }
      reader.append(
        node.parts, at: time, by: node.isMine ? .me : .assistant(model: node.model), id: node.id,
        original: node.original, in: branch ?? trunk, into: &sink)
    }
  }
}

extension AssistantPart {
  /// What a search found: titles and addresses.
  static func found(by tool: String, _ key: String, in fields: JSONFields) throws(JSONError) -> AssistantPart
  {
    let pages = try fields.map(key) { page throws(JSONError) in
      let lines = [try page.plainText("title"), try page.plainText("url")]
      return lines.compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: "\n")
    }
    var part = AssistantPart(kind: .result, text: pages.filter { !$0.isEmpty }.joined(separator: "\n\n"))
    part.tool = tool
    return part
  }
}
