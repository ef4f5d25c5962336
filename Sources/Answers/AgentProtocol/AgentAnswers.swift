internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

struct WrittenAnswer {
  let text: String
  let value: ToolAnswer
}

/// Answers the questions of agents about a store, in bounded bytes.
struct AgentAnswers {
  let store: SynchronousMessageStore
  private let queries: QuestionAnswerer
  /// Whether the answer is also sent as a structured value, which then counts, too.
  private let isStructured: Bool

  /// The most bytes of an answer, as it is escaped on the wire.
  static let byteLimit = 65_536
  /// The bytes of an answer with messages if the call names no number.
  static let usualByteCount = 8_192
  static let textByteLimit = 16_384

  init(_ store: SynchronousMessageStore, me: String?, isStructured: Bool) {
    (self.store, self.isStructured) = (store, isStructured)
    var queries = QuestionAnswerer(store, me: me)
    queries.advice = .ofAgents
    self.queries = queries
  }

  /// Returns the answer as JSON: of a list as many elements as fit, of a single message as much as fits.
  /// Throws `invalidRequest` if names alone exceed the limit.
  func answer(to call: ToolCall, isCancelled: @escaping @Sendable () -> Bool) throws -> WrittenAnswer {
    var call = call
    var answer = try answer(call, isCancelled)
    let total = try call.question.total(by: queries)
    while true {
      answer.total = total
      let (text, byteCount) = try written(answer)
      let excess = max(
        Double(byteCount) / Double(Self.byteLimit),
        call.byteCount.map { Double(text.utf8.count) / Double($0) } ?? 0)
      if excess <= 1 { return WrittenAnswer(text: text, value: answer) }
      guard let less = call.reduced(from: answer.answer.count, to: 0.9 / excess) else {
        // A single element may exceed the wanted size, but not the limit.
        return byteCount <= Self.byteLimit
          ? WrittenAnswer(text: text, value: answer) : try withinLimit(answer.shortened)
      }
      call = less
      answer = try self.answer(less, isCancelled)
    }
  }

  private func withinLimit(_ answer: ToolAnswer) throws -> WrittenAnswer {
    let (text, byteCount) = try written(answer)
    if byteCount <= Self.byteLimit { return WrittenAnswer(text: text, value: answer) }
    throw StoreError(
      .invalidRequest, "cannot answer in \(Self.byteLimit) bytes", cause: "names alone take more")
  }

  /// The text, and its size as a JSON string plus that of the structured value.
  private func written(_ answer: ToolAnswer) throws -> (text: String, byteCount: Int) {
    let text = String(decoding: VisibleJSON.escaped(try AnswerEncoder.bytes(of: answer)), as: UTF8.self)
    return (text, try AnswerEncoder.bytes(of: text).count + (isStructured ? text.utf8.count : 0))
  }

  private func answer(_ call: ToolCall, _ isCancelled: @escaping @Sendable () -> Bool) throws -> ToolAnswer {
    let known = store.damageSeen
    var answer = try content(of: call, call.question, isCancelled)
    let seen = store.damageSeen
    if seen.count > known.count {
      let news = Array(seen.first.dropFirst(known.first.count))
      answer.damage = news.isEmpty ? ["there is more damage than is listed here"] : news
    }
    return answer
  }

  private func content<Question: ServedQuestion>(
    of call: ToolCall, _ question: Question, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ToolAnswer {
    let (found, skip) = try queries.answer(question, skipping: call.skippedCount, isCancelled: isCancelled)
    let (shown, byte) = found.part(from: call.textStart, byteCount: Self.textByteLimit)
    var answer = ToolAnswer(shown, word: Question.word(of: shown))
    answer.more = shown.continuations
    if let skip { answer.more.append(Continuation(.next, .skip(skip))) }
    if let byte { answer.more.append(Continuation(.next, .textFrom(byte))) }
    answer.isWhole = question.wantsWhole
    answer.numbers = try shown.numbers(by: queries)
    answer.then = call.then(shown)
    if shown.count == 0, call.skippedCount == 0 {
      answer.suggestions = try question.suggestions(by: queries)
    }
    return answer
  }
}

/// JSON in which invisible characters are escaped, so that a model sees every character that is there.
///
/// A JSON parser gets the same strings. Escaped are characters without width, of directions and of tags
/// (default-ignorable, format and separator characters of Unicode), but not those that join an emoji.
enum VisibleJSON {
  /// Escapes the invisible characters of a JSON text in UTF-8; they can only be in strings.
  ///
  /// - Complexity: O(bytes); ASCII is returned unchanged.
  static func escaped(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 >= 0x80 }) else { return json }
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var last: Unicode.Scalar?
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if isHidden(scalar, after: last) {
        for unit in UTF16.encode(scalar)?.map(\.self) ?? [] { result += escape(of: unit) }
      } else {
        result += UTF8.encode(scalar).map(Array.init) ?? []
      }
      last = scalar
    }
    return result
  }

  private static func isHidden(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
    guard scalar.value >= 0x80 else { return false }
    let isOfEmoji = last.map { $0.value >= 0x80 && ($0.properties.isEmoji || $0 == emojiForm) } ?? false
    if scalar == emojiForm || scalar == joiner { return !isOfEmoji }
    if scalar.properties.isDefaultIgnorableCodePoint { return true }
    switch scalar.properties.generalCategory {
    case .format, .control, .lineSeparator, .paragraphSeparator: return true
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator,
      .surrogate, .privateUse, .unassigned:
      return false
    @unknown default: return false
    }
  }

  /// The variation selector that makes the character before it an emoji; the joiner merges two emoji.
  private static let emojiForm: Unicode.Scalar = "\u{FE0F}"
  private static let joiner: Unicode.Scalar = "\u{200D}"

  private static func escape(of unit: UInt16) -> [UInt8] {
    let digits = String(unit, radix: 16)
    return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
  }
}

extension Remedy {
  /// The remedy for an agent: its own tools, or else the commands that its user can type.
  var told: String {
    switch way {
    case .words(let text): text
    case .listConversations: "list_conversations with a part of the name as 'named'"
    case .listSenders: "list_senders with a part of the name as 'named'"
    case .listPeople: "list_people, which lists them"
    case .listFilters: "a query instead: the user has saved no such filter"
    case .checkStore: "scrollback check"
    case .repairStore: "scrollback check --repair"
    case .makeStore: "scrollback import FILE, which makes it"
    case .importOrSalvage: "scrollback import FILE; if it was a store, scrollback salvage FILE -o NEW"
    case .changeAndPublish: "change the store that it comes from, then: scrollback publish"
    case .publish: "scrollback publish, or another database"
    case .openAnotherStore: "another --store"
    case .openLocalStore: "a --store on a disk of this computer"
    // These concern writing and files, for which there are no tools.
    case .exportAndImport, .importWithFiles, .openStore, .goWithoutBackup, .writeIntoNewFolder,
      .searchMessages, .showMessage,
      .mergeConversations, .listImports, .listSources, .mapColumns:
      description
    }
  }
}
