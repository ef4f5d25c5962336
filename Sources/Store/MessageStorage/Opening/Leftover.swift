internal import CFiles

/// An unfinished file, removed if a signal ends the process.
package final class Leftover: Sendable {
  private let number: Int32

  package init(_ path: String) { number = cfiles_note(path) }

  deinit { cfiles_forget(number) }
}
