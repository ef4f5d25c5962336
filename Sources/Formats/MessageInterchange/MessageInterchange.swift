// A reader of a format fills the batches of this library.
@_exported public import HistoryModel
