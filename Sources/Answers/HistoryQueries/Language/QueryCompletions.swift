internal import Foundation
package import MessageModel
package import MessageStorage

/// Completes a word of a query to terms.
package enum QueryCompletions {
  /// The sorts of names, each looked up only where it can occur.
  package enum Names: Hashable, Sendable {
    case conversations, senders, people, savedFilters
    /// The words by which sessions of assistants are found.
    case sessions(SessionWord.Sort)
  }

  /// Returns the completions of a word; the word of an excluded term begins with a hyphen.
  ///
  /// - Parameters:
  ///   - quotesNames: Whether to include names of several words, in quotation marks, and after an open
  ///     quotation mark also others.
  ///   - names: Looks up names.
  /// - Complexity: O(names).
  package static func terms<Failure>(
    completing word: String, quotesNames: Bool = false, names: (Names) throws(Failure) -> [String]
  ) throws(Failure) -> [String] {
    if word.hasPrefix("-") {
      let rest = String(word.dropFirst())
      return try terms(completing: rest, quotesNames: quotesNames, names: names).map { "-" + $0 }
    }
    guard let colon = word.firstIndex(of: ":") else {
      return MessageQuery.keys.filter { $0.hasPrefix(word) }.sorted()
    }
    let key = String(word[...colon])
    let typed = word[word.index(after: colon)...]
    let isQuoted = typed.hasPrefix("\"")
    let values = try values(of: QueryTerm.Key(rawValue: String(word[..<colon])), names: names)
    let terms = values.compactMap { value -> String? in
      guard let term = term(value, quotesNames: quotesNames, isQuoted: isQuoted) else { return nil }
      return value.hasPrefix(typed) || term.hasPrefix(typed) ? key + term : nil
    }
    guard terms.isEmpty, !isQuoted else {
      // Senders keep their order, such as the most recent first.
      return key == "from:" ? terms : terms.sorted()
    }
    return FuzzyName(typed).meant(among: values).compactMap { value in
      term(value, quotesNames: quotesNames, isQuoted: false).map { key + $0 }
    }
  }

  /// A value as it is typed, in quotation marks if it has several words; `nil` if it cannot be typed.
  private static func term(_ value: String, quotesNames: Bool, isQuoted: Bool) -> String? {
    guard isQuoted || value.contains(where: \.isWhitespace) else { return value }
    return quotesNames && !value.contains("\"") ? "\"\(value)\"" : nil
  }

  /// The start of the last word of a query that is being typed. A value in quotation marks belongs to the word
  /// of its key.
  package static func startOfLastWord(in text: Substring) -> String.Index {
    var (start, isQuoted) = (text.startIndex, false)
    for (index, character) in zip(text.indices, text) {
      if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, character.isWhitespace || character == "(" {
        start = text.index(after: index)
      }
    }
    return start
  }

  private static func values<Failure>(
    of key: QueryTerm.Key?, names: (Names) throws(Failure) -> [String]
  ) throws(Failure) -> [String] {
    switch key?.facts.value {
    case .author: try withPeople(try names(.senders), names)
    case .name(let sort): try names(sort)
    case .word(let words): words
    case .time: ["today", "yesterday"]
    case .text, .id, nil: []
    }
  }
}

extension QueryCompletions {
  /// Returns the names of senders, followed by those of people, under which their messages are shown.
  private static func withPeople<Failure>(
    _ senders: [String], _ names: (Names) throws(Failure) -> [String]
  ) throws(Failure) -> [String] {
    let known = Set(senders)
    return try senders + names(.people).filter { !known.contains($0) }
  }
}

extension SynchronousMessageStore {
  package func names(_ wanted: QueryCompletions.Names) throws(StoreError) -> [String] {
    switch wanted {
    case .conversations: try conversationNames()
    case .senders: try senders().map(\.sender.name).sorted()
    case .people: try peopleNames()
    case .savedFilters: try savedFilterNames()
    case .sessions(let sort): try sessionWords(sort)
    }
  }
}
