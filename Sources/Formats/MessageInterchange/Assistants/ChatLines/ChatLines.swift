internal import Foundation
internal import MessageModel

/// Sessions of programs that write a line for each message, with a role and a content. The keys are those of the
/// program's ``ChatShape``.
struct ChatLines: JSONSessionRows {
  private var reader: AssistantReader
  private let shape: ChatShape
  private let path: String?
  private let isFollowed: Bool
  private let id: String
  private var talk: AssistantConversation
  private var times: LooseTime
  private var content: ChatContent
  private var isOurs: Bool
  private var model: String?
  private var moment: Moment?
  private(set) var hasSeenItsFormat = false

  private typealias Moment = (time: Timestamp, precision: TimePrecision)

  init(_ entry: AssistantEntry, _ shape: ChatShape, file: InputFile, options: ImportOptions) {
    reader = AssistantReader(entry.format, assistant: entry.program, options)
    self.shape = shape
    path = file.diskPath
    isFollowed = file.source.isReadOn
    times = LooseTime(options)
    let (own, parent) = shape.session(of: file)
    id = parent.map { "\($0)/\(own)" } ?? own
    let outline = ChatOutline(of: file, shape)
    content = ChatContent(areArgumentsEncoded: shape.areArgumentsEncoded)
    isOurs = outline.isOurs
    if let parent {
      talk = reader.agent(own, called: outline.title ?? "agent", of: parent)
    } else {
      // Messages of other files about the same session have other ids: in one conversation they would be doubled.
      talk = AssistantConversation(
        entry.format, id: entry.repeats ? "\(own)/transcript" : own, folder: outline.folder,
        title: outline.title)
    }
    moment = outline.beginning.flatMap { times.read($0) }
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    isOurs = isOurs || shape.fits(fields)
    guard isOurs else { throw JSONError(reason: "it does not belong to a session of \(reader.assistant)") }
    hasSeenItsFormat = true
    model = fields.firstText(at: shape.model) ?? model
    noteTitle(fields, into: &sink)
    let voice = shape.voice(of: fields)
    var (parts, speaker) = try said(fields, line, voice?.voice, word: voice?.word)
    if let voice = voice?.voice, voice != .nothing, voice != .assistant {
      parts += try thoughtsAndCalls(fields)
    }
    if let word = voice?.word, parts.first?.isEmpty == true, parts[0].word == nil { parts[0].word = word }
    guard !parts.isEmpty else { return addUsage(of: fields) }
    guard let moment = readMoment(fields) else {
      throw JSONError(reason: "it has no time, and its file has none either (--date gives one)")
    }
    let key = "\(id)/\(fields.firstText(at: shape.id) ?? String(number))"
    if case .me = speaker { reader.beginTurn(key, in: talk, into: &sink) }
    addUsage(of: fields)
    reader.last = moment.time
    reader.append(
      parts, at: moment.time, precision: moment.precision, by: speaker, id: key, original: line, in: talk,
      into: &sink)
  }

  mutating func finish(into sink: inout RecordSink) {
    if !isFollowed { reader.endTurn(into: &sink) }
  }

  // MARK: When, and under which title

  private mutating func readMoment(_ fields: JSONFields) -> Moment? {
    if let own = fields.firstText(at: shape.time), let read = times.read(own) { moment = read }
    return moment ?? day
  }

  /// The day on which the file last changed.
  private var day: Moment? {
    if let day = reader.options.day { return (Timestamp(utc: day), .day) }
    guard let facts = path.flatMap({ FileFacts(of: $0) }) else { return nil }
    var clock = WallClock(zone: reader.options.timeZone)
    let civil = clock.civil(at: Timestamp(millisecondsSince1970: facts.changedAt / 1_000_000))
    return (Timestamp(utc: CivilTime(year: civil.year, month: civil.month, day: civil.day)), .day)
  }

  /// A session that is followed is renamed when its title changes; of others the outline has the last one.
  private mutating func noteTitle(_ fields: JSONFields, into sink: inout RecordSink) {
    guard isFollowed, let title = fields.firstText(at: shape.title) else { return }
    talk.retitle(title)
    sink.note(titleOf: talk, reader.options)
  }

  // MARK: Messages

  private mutating func said(
    _ fields: JSONFields, _ line: Bytes, _ voice: ChatShape.Voice?, word: String?
  ) throws(JSONError) -> ([AssistantPart], AssistantReader.Speaker) {
    switch voice {
    case nil: return ([.unknown(line)], .program)
    case .nothing: return ([], .program)
    case .program: return (try blocks(of: fields, .system) ?? [.unknown(line)], .program)
    case .me: return (try question(fields) ?? [.unknown(line)], .me)
    case .assistant: return (try reply(fields) ?? [.unknown(line)], .assistant(model: model))
    case .tool:
      let text = fields.first(of: shape.text)
      let name = fields.firstText(at: shape.tool)
      return (
        [
          try content.result(
            fields, text, of: fields.firstText(at: shape.call), named: name, or: word?.lowercased())
        ],
        .program
      )
    }
  }

  private mutating func blocks(
    of fields: JSONFields, _ kind: Message.Kind
  ) throws(JSONError) -> [AssistantPart]? {
    guard let text = fields.first(of: shape.text) else { return nil }
    let parts = try content.parts(of: text, kind)
    return parts.isEmpty ? [AssistantPart(kind: kind)] : parts
  }

  private mutating func question(_ fields: JSONFields) throws(JSONError) -> [AssistantPart]? {
    guard var parts = try blocks(of: fields, .text) else { return nil }
    for index in parts.indices where parts[index].kind == .text {
      let whole = parts[index].text
      if let read = shape.stamp(in: whole).flatMap({ times.read($0) }) { moment = read }
      parts[index].text = shape.asked(in: whole)
    }
    if !talk.hasTitle, let asked = parts.first(where: { $0.kind == .text && !$0.isBlank }) {
      talk.retitle(asked.text)
    }
    return parts.said
  }

  private mutating func reply(_ fields: JSONFields) throws(JSONError) -> [AssistantPart]? {
    content.beginReply()
    let text = try blocks(of: fields, .text)
    let others = try thoughtsAndCalls(fields)
    // An empty list of thoughts stands for one that only its maker can read.
    let isSecret = fields.first(of: shape.thinking)?.has("[]") ?? false
    guard text != nil || !others.isEmpty || isSecret else { return nil }
    let isThought = { (part: AssistantPart) in part.kind == .thinking }
    return (others.filter(isThought) + (text ?? []) + others.filter { !isThought($0) }).said
  }

  /// What stands beside the text.
  private mutating func thoughtsAndCalls(_ fields: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    if let thoughts = fields.first(of: shape.thinking) {
      parts = try content.parts(of: thoughts, .thinking).filter { !$0.isEmpty }
    }
    for list in shape.calls {
      guard let (inner, key) = fields.followed(list.split(separator: ".").map(String.init)) else { continue }
      try inner.forEach(key) { value throws(JSONError) in
        parts.append(
          try JSONFields(value).map { call throws(JSONError) in try content.call(call) } ?? .unknown(value))
      }
    }
    return parts
  }

  private mutating func addUsage(of fields: JSONFields) {
    guard let usage = shape.usage else { return }
    let cost = usage.cost.flatMap { fields.text(at: $0) }.flatMap { Double($0) }
    let (cached, received) = (fields.count(at: usage.cached), fields.count(at: usage.received))
    if let sent = usage.sent {
      reader.usage.add(sent: fields.count(at: sent), received: received, cached: cached, cost: cost)
    } else {
      reader.usage.add(
        fresh: fields.count(at: usage.fresh), cached: cached, written: fields.count(at: usage.written),
        received: received, cost: cost)
    }
  }
}
