internal import Foundation
internal import HistoryQueries
internal import MessageModel
package import MessageStorage

/// Completes words on the line.
package enum Completion {
  /// The sorts of names, each looked up only where it can occur.
  package enum Names: Hashable, Sendable {
    case conversations, senders, people, marks, savedFilters
    /// Words that occur in sessions, by sort.
    case sessions(SessionWord.Sort)
    /// Files whose path begins so.
    case files(String)

    fileprivate init(_ names: QueryCompletions.Names) {
      self =
        switch names {
        case .conversations: .conversations
        case .senders: .senders
        case .people: .people
        case .savedFilters: .savedFilters
        case .sessions(let sort): .sessions(sort)
        }
    }
  }

  /// The use of a line that is no command.
  package enum Line: Hashable, Sendable {
    case message
    /// A name in a list.
    case name(Names)
    /// The words of a query.
    case query
    /// A reply, or something else without names.
    case other
  }

  /// Completes the word from `start` to `end` (in bytes).
  ///
  /// - Parameters:
  ///   - use: The use of a line that is no command.
  ///   - names: Looks names up.
  /// - Complexity: O(commands + names).
  package static func candidates(
    in line: String, start: Int, end: Int, use: Line = .message, names: (Names) -> [String]
  ) -> [String] {
    let bytes = Array(line.utf8)
    guard 0 <= start, start <= end, end <= bytes.count else { return [] }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    let before = String(decoding: bytes[..<start], as: UTF8.self).split(separator: " ")
    if !line.hasPrefix("/") {
      switch use {
      case .message: break
      case .name(let wanted): return inList(names(wanted), bytes[..<end], word)
      case .query: return terms(word, behind: bytes[..<start], names)
      case .other: return []
      }
    }
    if before.isEmpty {
      return word.hasPrefix("/") ? matching(word, commands("/")) : text(word, isFirst: true, names)
    }
    guard let name = before.first, name.hasPrefix("/"), !name.hasPrefix("//") else {
      return text(word, isFirst: false, names)
    }
    guard let entry = CommandTable.entries.first(where: { $0.name == name.dropFirst() }) else { return [] }
    let isFirst = before.count == 1
    let isQuoted = bytes[..<start].last == UInt8(ascii: "\"")
    switch entry.completes {
    case .nothing: return []
    case .text: return isFirst ? [] : text(word, isFirst: false, names)
    case .commands: return isFirst ? matching(word, commands("") + ["keys"]) : []
    case .settings: return settings(word, behind: before.dropFirst().map(String.init))
    case .openings:
      let people = isFirst && word.hasPrefix("@") ? names(.people).map { "@" + $0 } : []
      return rests(of: names(.conversations) + people, behind: name, bytes[..<end], word, isFirst: isFirst)
    case .people: return rests(of: names(.people), behind: name, bytes[..<end], word, isFirst: isFirst)
    case .words(let words): return isFirst ? matching(word, words) : []
    case .places:
      return isFirst ? place(word, names(.marks).filter(isOneWord)) : []
    case .filters where isQuoted: return terms(word, behind: bytes[..<start], names)
    case .filters:
      let saved = isFirst ? names(.savedFilters).filter(isOneWord) : []
      return terms(word, behind: bytes[..<start], names) + matching(word, ["text"])
        + matching(word, saved + (isFirst ? ["save"] : []))
    case .query: return terms(word, behind: bytes[..<start], names)
    case .files: return files(word, isQuoted: isQuoted, names)
    }
  }

  private static func text(_ word: String, isFirst: Bool, _ names: (Names) -> [String]) -> [String] {
    if word.hasPrefix(":") { return EmojiNames.completions(of: word) }
    if word.hasPrefix("@") { return people(word, "@", "", names) }
    guard isFirst, !word.isEmpty else { return [] }
    return people(word, "", ":", names)
  }

  /// The remainders of names that match the line after the command: names may have several words. The first word
  /// may have only their letters.
  private static func rests(
    of names: [String], behind command: Substring, _ line: ArraySlice<UInt8>, _ word: String, isFirst: Bool
  ) -> [String] {
    let typed = String(decoding: line.dropFirst(command.utf8.count), as: UTF8.self).drop(
      while: \.isWhitespace)
    guard typed.hasSuffix(word) else { return [] }
    let before = typed.dropLast(word.count)
    let beginning = names.filter { $0.hasPrefix(typed) }.map { String($0.dropFirst(before.count)) }
    return beginning.isEmpty && isFirst ? FuzzyName(word).meant(among: names) : beginning
  }

  /// Names in a list that begin with the line or, if there are none, have its letters.
  private static func inList(_ names: [String], _ line: ArraySlice<UInt8>, _ word: String) -> [String] {
    let typed = String(decoding: line, as: UTF8.self)
    let plain = typed.hasPrefix("'") ? names : names.map { $0.hasPrefix("'") ? String($0.dropFirst()) : $0 }
    return rests(of: plain, behind: "", line, word, isFirst: typed == word)
  }

  /// Paths; in quotes if one has a space.
  private static func files(_ word: String, isQuoted: Bool, _ names: (Names) -> [String]) -> [String] {
    let paths = matching(word, names(.files(word)).filter { !$0.contains("\"") })
    if isQuoted || paths.allSatisfy(isOneWord) { return paths }
    return paths.map { $0.hasSuffix("/") ? "\"" + $0 : "\"\($0)\"" }
  }

  private static let places = ["unread", "yesterday", "today"]

  /// The sign of a mark is not the one of `FuzzyName`, which wants the letters in a row.
  private static func place(_ word: String, _ marks: [String]) -> [String] {
    guard word.hasPrefix("'") else { return matching(word, places + marks, isNames: true) }
    let names = marks.map { String($0.dropFirst()) }
    return matching(String(word.dropFirst()), names, isNames: true).map { "'" + $0 }
  }

  /// In an open quotation mark, the values of the key before it: readline closes the quotation mark.
  private static func terms(
    _ word: String, behind line: ArraySlice<UInt8>, _ names: (Names) -> [String]
  ) -> [String] {
    guard line.last == UInt8(ascii: "\"") else {
      return QueryCompletions.terms(completing: word) { names(Names($0)) }
    }
    let text = String(decoding: line, as: UTF8.self)
    let key = text.split { $0.isWhitespace || $0 == "(" }.last.map(String.init) ?? ""
    let terms = QueryCompletions.terms(completing: key + word, quotesNames: true) { names(Names($0)) }
    return terms.map { String($0.dropFirst(key.count).dropLast()) }
  }

  private static func settings(_ word: String, behind names: [String]) -> [String] {
    guard let name = names.first else { return matching(word, ReplSetting.names) }
    let values = ReplSetting.all.first { $0.name == name }?.values ?? []
    return names.count == 1 ? matching(word, values) : []
  }

  /// In the order of `names`: most recent speakers first.
  private static func people(_ word: String, _ prefix: String, _ suffix: String, _ names: (Names) -> [String])
    -> [String]
  {
    names(.senders).filter(isOneWord).map { prefix + $0 + suffix }.filter { $0.hasPrefix(word) }
  }

  private static func isOneWord(_ name: String) -> Bool { !name.contains(where: \.isWhitespace) }

  private static func commands(_ prefix: String) -> [String] { CommandTable.entries.map { prefix + $0.name } }

  /// - Parameter isNames: Whether the letters of a word may stand for it, if nothing begins with it.
  private static func matching(_ word: String, _ candidates: [String], isNames: Bool = false) -> [String] {
    let beginning = candidates.filter { $0.hasPrefix(word) }.sorted()
    return beginning.isEmpty && isNames ? FuzzyName(word).meant(among: candidates) : beginning
  }
}

extension ReplContext {
  /// The keyboard waits for this look-up.
  private static let namePatience = Duration.milliseconds(100)

  /// Returns names for completion; none if they cannot be read in time.
  package func names(_ wanted: Completion.Names) -> [String] {
    let end = ContinuousClock.now + Self.namePatience
    let isLate: @Sendable () -> Bool = { ContinuousClock.now > end }
    return SynchronousMessageStore.whileCancellable(by: isLate) { found(wanted) }
  }

  private func found(_ wanted: Completion.Names) -> [String] {
    switch wanted {
    case .conversations: places.recentFirst((try? store.conversationNames()) ?? [])
    case .senders: speakers()
    case .marks: ((try? store.marks()) ?? []).map { "'" + $0.name }
    case .people: (try? store.peopleNames()) ?? []
    case .savedFilters: ((try? store.savedFilters()) ?? []).map(\.name)
    case .sessions(let sort): (try? store.sessionWords(sort)) ?? []
    case .files(let beginning): Self.files(beginning)
    }
  }

  private static let recentCount = 200

  /// Senders, most recent speakers first.
  private func speakers() -> [String] {
    let request = PageRequest(
      wholeSelection, order: .newestFirst, anchor: .newest, fetchLimit: Self.recentCount,
      wantsCounts: false)
    let recent = ((try? store.page(request))?.messages ?? []).compactMap(\.sender?.name)
    let all = ((try? store.senders()) ?? []).map(\.sender.name).sorted()
    var seen: Set<String> = []
    return (recent + all).filter { seen.insert($0).inserted }
  }

  private static func files(_ beginning: String) -> [String] {
    let folder = beginning.lastIndex(of: "/").map { beginning[...$0] } ?? ""
    let place = PathText.expanded(String(folder))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.isEmpty ? "." : place))
    let showsHidden = beginning.dropFirst(folder.count).hasPrefix(".")
    return (names ?? []).filter { $0.hasPrefix(".") == showsHidden }.map { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: place + name, isDirectory: &isFolder)
      return "\(folder)\(name)\(isFolder.boolValue ? "/" : "")"
    }
  }
}
