internal import CSQLiteShim

#if PCRE2
  internal import CPCRE2
#endif

package enum StoreLibraries {
  /// The format of new files, as docs/file-format.md numbers it.
  package static var schemaVersion: Int { Int(Schema.version) }

  package static var versions: [String] { ["SQLite \(String(cString: sqlite3_libversion()))"] + expressions }

  #if PCRE2
    private static var expressions: [String] {
      let room = 64
      // The version is followed by the day of its release.
      var version = [UInt8](repeating: 0, count: room)
      let length = pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil)
      if (1...Int32(room)).contains(length) { pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &version) }
      let words = String(decoding: version.prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
      return ["PCRE2 \(words.first ?? "?")"]
    }
  #else
    private static var expressions: [String] { [] }
  #endif
}
