internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

/// An answer as it is sent.
struct WrittenAnswer {
  let text: String
  let value: ToolAnswer
}

/// Answers what agents ask of a store, in no more bytes than they may be given.
struct AgentAnswers {
  let store: SynchronousMessageStore
  private let queries: QuestionAnswerer
  /// Whether an answer is sent as a value besides its text, and both count.
  private let isStructured: Bool

  /// The most bytes of an answer, escaped as it is sent.
  static let byteLimit = 65_536
  /// The bytes of an answer with messages, unless the call says otherwise.
  static let usualByteCount = 8_192
  /// The bytes of a text that are given at once.
  static let textByteLimit = 16_384

  init(_ store: SynchronousMessageStore, me: String?, isStructured: Bool) {
    (self.store, self.isStructured) = (store, isStructured)
    var queries = QuestionAnswerer(store, me: me)
    queries.advice = .ofAgents
    self.queries = queries
  }

  /// Returns the answer to a call as JSON: of a list as many elements as fit, of a message alone as much as fits.
  ///
  /// - Throws: ``StoreError`` as ``QuestionAnswerer/answer(_:isCancelled:)``, and of kind `invalidRequest` if what is asked for
  ///   has names that alone are longer than an answer.
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
        // A single element may be longer than was asked for, and no longer than may be sent.
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

  /// A text, and how many bytes it takes within the string that carries it, with the value beside it.
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

/// JSON with invisible characters as escapes: what is read is what is there.
///
/// A reader of JSON gets the same strings. These are characters without a width, of directions and of tags (default-ignorable,
/// format and separator characters of Unicode); those that join an emoji stay.
enum VisibleJSON {
  /// Returns the UTF-8 of a JSON text with what is not seen escaped, which may be in strings alone.
  ///
  /// - Complexity: O(bytes); a text of ASCII is returned as it is.
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

  /// Makes an emoji of the sign before it, and one of those on both sides.
  private static let emojiForm: Unicode.Scalar = "\u{FE0F}"
  private static let joiner: Unicode.Scalar = "\u{200D}"

  private static func escape(of unit: UInt16) -> [UInt8] {
    let digits = String(unit, radix: 16)
    return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
  }
}

extension Remedy {
  /// The way out for an agent: its own tools and, for what it cannot do, the commands that its user can type.
  var told: String {
    switch self {
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
    // Of those who write, and of files, which no tool gives.
    case .exportAndImport, .importWithFiles, .openStore, .goWithoutBackup, .writeIntoNewFolder,
      .searchMessages, .showMessage,
      .mergeConversations, .listImports, .listSources, .mapColumns:
      description
    }
  }
}
