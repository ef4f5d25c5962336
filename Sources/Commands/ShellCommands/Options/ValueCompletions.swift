internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// The values that the completions of a shell offer behind an option or as an argument.
enum ValueCompletions {
  /// The names of conversations of the store that the command line is for.
  static let conversations = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.conversationNames() }
  }

  /// The names that can be opened: conversations, and people as @ann.
  static let timelines = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.conversationNames() + $0.peopleNames().map { "@" + $0 } }
  }

  /// The names of those who wrote something into the store that the command line is for.
  static let senders = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.senders().map(\.sender.name) }
  }

  /// The names of people.
  static let people = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.peopleNames() }
  }

  /// The names of saved filters.
  static let savedFilters = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.savedFilters().map(\.name) }
  }

  /// The numbers of imports.
  static let imports = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.imports().map { String($0.id) } }
  }

  /// The numbers of sources that are followed.
  static let sources = CompletionKind.custom { words, _, _ in
    names(for: words) { try $0.sources().map { String($0.source.id) } }
  }

  static let exportFormats = CompletionKind.list(ExportChoice.names)
  static let importFormats = CompletionKind.list(ImportFormats.names.map(\.name))
  static let kinds = CompletionKind.list(MessageQuery.kinds)
  static let features = CompletionKind.list(MessageQuery.features)
  static let zones = CompletionKind.custom { _, _, _ in TimeZone.knownTimeZoneIdentifiers }

  /// Looks names up, none if the store cannot be read: a shell that completes says nothing.
  private static func names(
    for words: [String], _ look: (SynchronousMessageStore) throws -> [String]
  ) -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let path = StoreLocation.path(option: store(in: words), environment: environment)
    guard let store = try? SynchronousMessageStore(path: path, options: .readOnly) else { return [] }
    defer { store.close() }
    // A name of several lines, or with what controls a terminal, cannot be typed either.
    let names = ((try? look(store)) ?? []).filter {
      VisibleText.of($0, keepsTabs: false) == $0 && !$0.isEmpty
    }
    return environment["SAP_SHELL"] == "bash" ? names.filter(isHarmless) : names
  }

  /// Whether nothing in a name means anything to bash.
  ///
  /// A script that an earlier version printed, and somebody keeps in a file, has bash evaluate what it gets.
  private static func isHarmless(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy {
      !$0.isASCII || $0.properties.isAlphabetic || "0123456789_-./:@ ".unicodeScalars.contains($0)
    }
  }

  /// The store that a command line names.
  private static func store(in words: [String]) -> String? {
    if let place = words.lastIndex(where: { ["-s", "--store"].contains($0) }), place + 1 < words.count {
      return path(words[place + 1])
    }
    let joined = words.last { $0.hasPrefix("--store=") }
    return joined.map { path(String($0.dropFirst("--store=".count))) }
  }

  /// Returns a path in which a tilde, or a variable that begins it, stands for what it would be on a command line.
  private static func path(_ typed: String) -> String {
    guard typed.hasPrefix("$") else { return PathText.expanded(typed) }
    let parts = typed.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].trimmingCharacters(in: CharacterSet(charactersIn: "{}"))
    let value = ProcessInfo.processInfo.environment[name] ?? ""
    return parts.count == 1 ? value : value + "/" + parts[1]
  }
}
