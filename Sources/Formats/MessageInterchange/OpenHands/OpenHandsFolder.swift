internal import Foundation
internal import MessageModel

/// A conversation of OpenHands, `~/.openhands/conversations/*`: `base_state.json`, and beside it a folder with a
/// file for each event.
struct OpenHandsFolder: HistoryReader {
  private let file: InputFile
  private let reader: AssistantReader
  private var times: LooseTime
  private var state: State?
  private var talk: AssistantConversation?

  private static let name = "base_state.json"

  private struct State {
    var id: String
    var folder: String?
    var model: String?
    var facts = SessionFacts()
    /// The paths of the events, the next one last.
    var waiting: [String] = []
  }

  init(file: InputFile, options: ImportOptions) {
    self.file = file
    reader = AssistantReader("openhands", assistant: "OpenHands", options)
    times = LooseTime(options)
  }

  var hasSeenItsFormat: Bool { state != nil }

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard sample.folder.last == "events", sample.name.hasPrefix("event-") else { return false }
    return companions.hasBeside(name, in: sample.folder.dropLast())
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    if state == nil { try begin() }
    while !sink.isFull {
      guard let path = state?.waiting.popLast() else { return false }
      do throws(JSONError) { try take(path, into: &sink) } catch {
        let name = path.split(separator: "/").last ?? ""
        sink.skip(reason: "\(name): \(error.reason)")
      }
    }
    return true
  }

  private mutating func begin() throws(InterchangeError) {
    guard file.diskPath != nil else {
      throw InterchangeError(
        .unreadable, "cannot read the conversation",
        cause: "its events lie in files beside it (import its folder, unpacked)")
    }
    let bytes = Array(try file.source.peek(SessionFolder.longest))
    guard file.name == Self.name, bytes.withUnsafeBytes(UTF8Check.isValid),
      var state = bytes.withUnsafeBytes({ JSONFields($0).map(Self.state) })
    else {
      throw InterchangeError(
        .unreadable, "cannot read the conversation", cause: "it is not \(Self.name) with a whole JSON object")
    }
    if state.id.isEmpty { state.id = file.folder.last ?? file.name }
    let folder = "/" + file.folder.joined(separator: "/") + "/events"
    state.waiting = SessionFolder.names(in: folder).reversed().map { "\(folder)/\($0)" }
    self.state = state
  }

  private static func state(_ fields: JSONFields) -> State {
    func text(_ fields: JSONFields?, _ key: String) -> String? { (try? fields?.plainText(key)) ?? nil }
    var state = State(id: text(fields, "id") ?? "")
    state.folder = text(fields.object("workspace"), "working_dir")
    state.model = text(fields.object("agent")?.object("llm"), "model")
    let uses = fields.object("stats")?.object("usage_to_metrics") ?? JSONFields()
    for use in uses.keys.sorted() {
      let metrics = uses.object(use)
      let tokens = metrics?.object("accumulated_token_usage")
      state.facts.tokensIn = state.facts.tokensIn.adding(max(tokens?.integer("prompt_tokens") ?? 0, 0))
      state.facts.tokensOut = state.facts.tokensOut.adding(max(tokens?.integer("completion_tokens") ?? 0, 0))
      state.facts.dollars += max(metrics?.real("accumulated_cost") ?? 0, 0)
    }
    return state
  }

  private mutating func take(_ path: String, into sink: inout RecordSink) throws(JSONError) {
    guard let state, let content = SessionFolder.content(path) else {
      throw JSONError(reason: "it cannot be read")
    }
    guard content.withUnsafeBytes(UTF8Check.isValid) else { throw JSONError(reason: "it is not UTF-8") }
    try content.withRawBytes { bytes throws(JSONError) in
      let fields = try JSONFields.reading(bytes)
      let event = try OpenHandsEvent(fields, bytes)
      guard !event.parts.isEmpty else { return }
      let (time, precision) = try times.moment(try fields.plainText("timestamp"))
      let named = path.split(separator: "/").last.map(String.init) ?? path
      let own = try fields.plainText("id") ?? named
      let known = talk ?? begin(state, event, at: time, precision, into: &sink)
      talk = known
      reader.append(
        event.parts, at: time, precision: precision, by: event.isMine ? .me : .assistant(model: state.model),
        id: "\(state.id)/\(own)", original: bytes, in: known, into: &sink)
    }
  }

  /// The first event with a text names the conversation.
  private func begin(
    _ state: State, _ event: OpenHandsEvent, at time: Timestamp, _ precision: TimePrecision,
    into sink: inout RecordSink
  ) -> AssistantConversation {
    let title = event.isMine ? event.parts.first { $0.kind == .text }?.text : nil
    let talk = AssistantConversation(reader.platform, id: state.id, folder: state.folder, title: title)
    let words = [state.folder.map { "session in \($0)" } ?? "session", state.model.map { "model \($0)" }]
    let start = AssistantPart.note(words.compactMap(\.self).joined(separator: ", "))
    for (part, name) in [(start, "start"), (state.facts.part, "facts")] where !part.isEmpty {
      reader.append(
        [part], at: time, precision: precision, id: "\(state.id)/\(name)", in: talk, into: &sink)
    }
    return talk
  }
}
