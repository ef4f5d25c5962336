internal import Foundation

/// A locale of UTF-8 for the calling thread alone, for C libraries that convert by the locale.
struct UTF8Locale {
  private let entered: locale_t?
  private let previous: locale_t?

  /// Enters the locale, if the system has it.
  init() {
    entered = newlocale(Self.characters, "C.UTF-8", nil) ?? newlocale(Self.characters, "en_US.UTF-8", nil)
    previous = entered.flatMap { uselocale($0) }
  }

  /// Goes back to the locale before.
  func leave() {
    guard let entered else { return }
    uselocale(previous)
    freelocale(entered)
  }

  #if canImport(Glibc)
    private static let characters: Int32 = 1 << LC_CTYPE
  #else
    private static let characters: Int32 = LC_CTYPE_MASK
  #endif
}
