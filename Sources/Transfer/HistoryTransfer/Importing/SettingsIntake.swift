internal import Foundation
internal import HistoryQueries
internal import MessageInterchange
package import MessageModel
internal import MessageStorage

/// Imports settings that accompany messages.
package struct SettingsIntake {
  /// The numbers of new settings by kind.
  package private(set) var newCounts: [StoreSetting.Kind: Int] = [:]
  private(set) var filters: [String] = []
  private var counts: [StoreSetting.Kind: Int] = [:]

  /// Limits malicious files.
  private static func most(of kind: StoreSetting.Kind) -> Int {
    switch kind {
    case .filter, .alias, .followed: 1_000
    case .import: 10_000
    case .conversation, .person, .mark, .gap: 100_000
    }
  }

  /// Adds what precedes messages: the imports that they refer to. Returns the skipped ones.
  mutating func begin(_ batch: ImportedMessages, _ load: BulkImport) throws -> [SkippedRecord] {
    var skipped: [SkippedRecord] = []
    var imports: [(file: Int, one: StoreSetting.Import)] = []
    for setting in batch.settings {
      guard case .import(let one) = setting.setting else { continue }
      if let reason = tooMany(setting) {
        skipped.append(setting.skipped(reason))
      } else {
        imports.append((setting.file, one))
      }
    }
    let count = imports.isEmpty && !batch.beginsStore ? 0 : try load.list(imports)
    if count > 0 { newCounts[.import, default: 0] += count }
    return skipped
  }

  /// Adds what follows messages, since it refers to them. Returns the skipped ones.
  mutating func take(
    _ settings: [ImportedSetting], _ load: BulkImport, into store: SynchronousMessageStore, zone: String
  ) throws -> [SkippedRecord] {
    var skipped: [SkippedRecord] = []
    var wanted: [ImportedSetting] = []
    for setting in settings where setting.setting.kind != .import {
      if let reason = tooMany(setting) {
        skipped.append(setting.skipped(reason))
      } else {
        wanted.append(setting)
      }
    }
    let plain = wanted.filter { $0.setting.kind != .filter }
    if !plain.isEmpty {
      let fates = try load.take(plain.map { ($0.file, $0.setting) })
      for (setting, fate) in zip(plain, fates) { note(fate, of: setting, in: &skipped) }
    }
    for setting in wanted {
      guard case .filter(let name, let words) = setting.setting else { continue }
      note(try take(filter: name, words, into: store, zone: zone), of: setting, in: &skipped)
    }
    return skipped
  }

  private mutating func tooMany(_ setting: ImportedSetting) -> String? {
    let (kind, most) = (setting.setting.kind, Self.most(of: setting.setting.kind))
    counts[kind, default: 0] += 1
    return counts[kind, default: 0] > most
      ? "an import takes \(most) records of the kind '\(kind.rawValue)'" : nil
  }

  private mutating func note(
    _ fate: SettingFate, of setting: ImportedSetting, in skipped: inout [SkippedRecord]
  ) {
    switch fate {
    case .new: newCounts[setting.setting.kind, default: 0] += 1
    case .known: break
    case .refused(let reason): skipped.append(setting.skipped(reason))
    }
  }

  private mutating func take(
    filter name: String, _ words: String, into store: SynchronousMessageStore, zone: String
  ) throws -> SettingFate {
    let shown = VisibleText.of(name)
    guard !MessageQuery.isReserved(name) else { return .refused("no filter can be named '\(shown)'") }
    if let known = try store.savedFilter(named: name) {
      return known.words == words ? .known : .refused("the filter '\(shown)' is another here, which stays")
    }
    do throws(StoreError) {
      let clock = WallClock(zone: TimeZone(named: zone) ?? .gmt)
      var compiler = QueryCompiler(store, now: systemTime(), clock: clock)
      let predicate = try compiler.predicate(MessageQuery(MessageQuery.saying(words)))
      guard predicate != .everything else {
        return .refused("the filter '\(shown)' matches every message")
      }
      try store.saveFilter(named: name, words: words, predicate: predicate)
    } catch {
      guard [.invalidRequest, .notFound].contains(error.kind) else { throw error }
      let cause = error.cause.map { ": \($0)" } ?? ""
      return .refused("the filter '\(shown)' cannot be saved: \(error.summary)\(cause)")
    }
    filters.append(name)
    return .new
  }
}
