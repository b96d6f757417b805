// SPDX-License-Identifier: MIT
#pragma once
#include <cstdarg>
#include <stdexcept>
#include <string>

#include <etch/base/formatted.hpp>
#include <etch/base/name.hpp>

/// The vocabulary of errors. At compile time: an undefined class template whose arguments are tag types, since only that
/// puts the facts on the first error line of g++, clang and nvcc alike. At run time: one exception type, the same words.
namespace etch {

/// What is wrong, as shape rules and passes report it: a value, a type that stands in error messages, and a sentence for run time.
#define ETCH_REASONS(REASON)                                                                                                 \
  REASON(shapes_do_not_broadcast, "the operands' shapes do not broadcast")                                                   \
  REASON(inner_extents_differ, "the inner extents differ")                                                                   \
  REASON(batch_extents_differ, "the batch extents do not broadcast")                                                         \
  REASON(axis_out_of_range, "an axis is out of range")                                                                       \
  REASON(rank_too_small, "an operand has too few axes")                                                                      \
  REASON(dtype_not_accepted, "the dtype is not accepted; cast first")                                                        \
  REASON(this_dtype_is_for_storage_write_astype_float_of_it_first, "the dtype is for storage; write astype<float>(x) first") \
  REASON(dtypes_differ, "the operands' dtypes differ; cast first")                                                           \
  REASON(condition_is_not_bool, "the condition is not bool")                                                                 \
  REASON(extents_differ, "extents that must agree differ")                                                                   \
  REASON(reshape_changes_the_number_of_elements, "the new shape has another number of elements")                             \
  REASON(slice_out_of_range, "a slice reaches outside its axis")                                                             \
  REASON(step_is_zero, "the step of a slice is zero")                                                                        \
  REASON(not_a_permutation, "the axes are not a permutation")                                                                \
  REASON(padding_is_negative, "a padding is negative")                                                                       \
  REASON(indices_are_not_integers, "the indices are not integers")                                                           \
  REASON(too_many_axes, "the result has more than 8 axes")                                                                   \
  REASON(extent_has_no_such_parts, "an extent cannot be divided into that many parts")                                       \
  REASON(an_index_map_reads_outside_its_operand, "its index map reads outside the operand")                                  \
  REASON(too_many_named_extents, "too many named extents, or sums and products of them")                                     \
  REASON(channels_differ, "the channels of the operands differ")                                                             \
  REASON(a_convolution_has_a_batch_axes_of_windows_and_channels,                                                             \
         "the operands of a convolution have a batch, the axes of windows, and channels")                                    \
  REASON(a_window_is_larger_than_its_padded_operand, "a window is larger than the padded operand")                           \
  REASON(a_window_has_a_named_extent, "the extents of a window are not numbers")                                             \
  REASON(a_window_is_empty, "a window has no elements")                                                                      \
  REASON(a_stride_along_a_named_extent, "windows along a named extent have a stride other than 1")                           \
  REASON(groups_do_not_divide_the_channels, "the groups do not divide the channels")                                         \
  REASON(this_is_no_letter, "what stands for an axis is no letter")                                                          \
  REASON(this_letter_of_the_result_is_in_no_operand, "a letter of the result is in no operand")                              \
  REASON(this_letter_is_twice_in_the_result, "a letter is twice in the result")                                              \
  REASON(the_result_has_no_ellipsis_but_an_operand_has, "the result has no ellipsis, but an operand has")                    \
  REASON(an_einsum_has_at_most_8_operands, "an einsum has more than 8 operands")

enum class reason {
  none,
#define ETCH_REASON(NAME, SENTENCE) NAME,
  ETCH_REASONS(ETCH_REASON)
#undef ETCH_REASON
};
#define ETCH_REASON(NAME, SENTENCE) struct NAME;
ETCH_REASONS(ETCH_REASON)
#undef ETCH_REASON

/// What else is wrong: what stands in error messages only.
struct a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder;
struct an_expression_has_no_value_until_a_session_runs_it;
struct no_expression_is_another_one_choose_by_where;
struct an_axis_is_named_twice;
struct a_variable_cannot_have_a_named_extent;
struct an_extent_is_a_number_or_a_name_in_angle_brackets;
struct an_extent_is_negative_name_one_that_is_not_known_by_any;
struct this_slot_is_fed_twice;
struct a_binding_of_a_temporary_cannot_be_kept_feed_it_where_it_is_made;
struct placeholder_is_declared_twice;
struct this_named_extent_is_bound_by_no_feed;
struct two_assignments_of_a_variable_in_one_run_order_them_by_after;
struct two_optimizers_share_this_state_give_one_a_name;
struct a_run_cannot_feed_a_variable_that_it_assigns;
struct variable_is_declared_twice;
struct variable_is_declared_with_two_initial_values;
struct variable_is_declared_trainable_and_not_trainable;
struct you_must_feed_a_value_for_this_placeholder;
struct an_expression_cannot_be_fed_feed_its_value;
struct this_cannot_be_fed;
struct this_has_no_value_that_could_be_fed;
struct this_feed_has_the_wrong_dtype;
struct this_feed_has_the_wrong_number_of_axes;
struct this_feed_has_the_wrong_extents;
struct this_slot_is_not_in_the_graph_of_the_session;
struct only_floats_have_gradients_cast_first;
struct the_loss_depends_on_no_trainable_variable;
struct the_loss_depends_on_no_trainable_variable_under_this_prefix;
struct there_is_no_gradient_through_this_op;
struct gradient_does_not_reach_this_operand;
struct backend_lacks_this_op;
struct no_variable_of_the_session_has_this_name;
struct no_variable_of_this_expression_has_this_name;
struct this_literal_is_no_value_of_the_other_operands_dtype_cast_that_first;
struct a_float_is_no_value_of_the_other_operands_dtype_cast_that_first;
struct an_op_of_ones_own_is_elementwise_or_a_reduction_or_a_movement_or_opaque;
struct this_op_needs_run_of_a_strided_result_strided_operands_and_attributes;
struct a_reductions_shape_rule_is_its_familys_say_result_for_another_dtype;
struct the_result_of_these_literals_is_out_of_range_cast_one_of_them_first;
struct name_the_axis_in_angle_brackets;
struct name_the_shape_in_angle_brackets;
struct name_the_sections_in_angle_brackets_one_for_each_axis;
struct name_the_paddings_in_angle_brackets_one_for_each_axis;
struct name_the_dtype_in_angle_brackets;
struct name_the_number_of_classes_in_angle_brackets;
struct name_the_number_of_parts_in_angle_brackets;
struct name_the_number_of_steps_in_angle_brackets;
struct name_the_layer_and_its_units_in_angle_brackets;
struct name_the_draw_in_angle_brackets;
struct name_the_variable_in_angle_brackets;
struct a_name_stands_in_angle_brackets_the_variable_is_an_argument;
struct write_the_name_in_angle_brackets;
struct a_slot_has_its_own_name;
struct a_scope_takes_a_function_of_the_scope_and_the_arguments;
struct this_layer_is_made_twice_where_its_scope_never_reuses_names;
struct this_layer_does_not_exist_where_its_scope_always_reuses_names;
struct a_literal_has_no_dtype_to_be_named_with_cast_it_first;
struct this_call_has_the_wrong_number_of_operands;
struct this_call_has_the_wrong_arguments;
struct an_image_has_the_axes_height_width_channels_and_a_batch_one_before_them;
struct this_part_reaches_outside_of_the_image;
struct the_last_axis_of_these_images_has_not_as_many_channels;
struct an_array_cannot_stand_in_an_expression_feed_a_placeholder;
struct an_expression_has_no_elements_take_a_part_of_it_by_slice_or_gather;
struct an_expression_cannot_be_changed_make_another_or_assign_to_a_variable;
struct only_a_variable_can_be_assigned;
struct only_a_variable_has_a_value_in_a_session_run_an_expression;
struct only_a_variable_can_be_trained;
struct a_training_step_has_no_value;
struct expressions_are_named_one_by_one_without_braces;
struct this_is_no_expression_feed_a_value_by_slot_equals_value;
struct name_at_least_one_expression_to_compute;
struct a_step_takes_a_pointer_for_each_feed;
struct a_step_reads_elements_by_their_address;
struct the_result_of_this_step_has_another_type;
struct a_step_is_made_of_what_bind_gives;
struct a_bound_step_cannot_be_copied_move_it;
struct a_step_has_the_type_of_a_function;
struct a_session_is_made_of_expressions_name_at_least_one;
struct a_default_session_is_made_of_a_session_on_the_cpu;
struct a_loss_is_an_expression;
struct only_axes_of_extent_1_can_be_squeezed;
struct a_variable_starts_from_an_expression;
struct name_the_learning_rate;
struct an_array_cannot_stand_in_an_expression_but_is_fed_by_one_equals_sign;
struct nested_containers_cannot_be_fed_feed_an_array_or_one_flat_range;
struct a_pointer_has_no_size_feed_a_span;
struct braces_are_nested_once_for_each_axis;
struct there_is_not_one_gradient_for_each_variable;
struct an_optimizers_rule_assigns_at_most_12_times_for_each_variable;
struct an_optimizers_rule_gives_what_s_changes_gives;
struct the_loss_must_read_this_table_by_gather_of_these_ids_alone;
struct a_sparse_optimizer_has_no_moving_average_and_accumulates_nothing;
struct this_letter_stands_for_two_extents;
struct there_are_not_as_many_operands_as_lists_of_letters;
struct an_operand_has_not_as_many_axes_as_letters;
struct there_is_not_one_place_for_each_operand;
struct strides_dilations_windows_and_groups_are_positive;
struct there_is_not_one_number_for_each_axis_of_windows;
struct this_call_has_not_the_options_that_it_takes;
struct this_function_is_in_a_header_of_its_own_include_etch_convolution_hpp;
struct this_function_is_in_a_header_of_its_own_include_etch_eager_xtensor_hpp;
struct ops_of_tensors_are_in_a_header_of_their_own_include_etch_eager_hpp;
struct a_run_time_string_cannot_stand_in_an_expression_write_text_c_or_feed_a_placeholder;
struct this_is_no_string_convert_it_by_strings_as_string;
struct a_string_is_no_number_convert_it_by_strings_to_number;
struct a_step_reads_strings_where_they_were_bound;
struct a_host_call_of_this_name_is_another_one_give_each_a_name;
struct a_host_call_takes_a_function_without_captures;
struct this_function_cannot_be_called_with_these_operands;
struct an_eager_call_of_the_host_gives_arrays_whose_extents_are_numbers;
struct a_loops_body_gives_as_many_states_as_it_has_and_perhaps_outputs;
struct a_loops_body_takes_the_state_and_an_element_of_each_sequence;
struct a_loops_state_keeps_its_dtype_and_shape;
struct a_sequence_has_a_first_axis_along_which_it_is_scanned;
struct sequences_that_are_scanned_together_have_one_length;
struct a_loops_condition_takes_the_state;
struct this_count_is_negative;
struct a_condition_is_one_bool;
struct the_body_of_this_function_does_not_take_these_arguments;
struct the_body_of_this_function_does_not_take_these_arguments_or_the_class_around_it_is_not_complete_yet;
struct a_functions_body_gives_an_expression_or_a_structure_of_some;
struct this_axis_of_an_argument_would_have_two_extents;
struct the_rank_of_this_argument_is_not_known_to_the_compiler_hand_over_a_tensor_of_known_rank;
struct this_is_no_argument_of_a_traced_function;
struct the_body_of_this_function_uses_no_such_slot;
struct a_value_by_name_is_for_a_call_that_runs_not_for_one_with_symbols;
struct the_arguments_do_not_fit_the_input_signature;
struct the_initial_values_of_a_repeated_variable_are_made_of_draws_by_elementwise_ops;
struct a_repeated_block_takes_an_expression_or_a_tuple_of_some;
struct a_repeated_block_has_at_most_256_variables;
struct a_branch_does_not_take_what_stands_behind_the_branches;
struct a_branch_gives_an_expression_or_a_tuple_of_some;
struct what_is_computed_again_takes_the_values_behind_it;
struct what_is_computed_again_gives_an_expression_or_a_tuple_of_some;
struct what_is_computed_again_calls_no_function_of_the_host;
struct the_branches_give_as_many_values;
struct the_branches_give_values_of_one_dtype_and_shape;
struct a_number_has_no_shape_where_the_other_branch_gives_an_array;
struct what_chooses_a_case_is_one_integer;
struct a_loop_of_any_number_of_steps_has_no_gradient_bound_them;
struct a_gradient_keeps_a_value_of_8_axes_of_each_step_of_a_loop;
struct this_stands_for_a_value_of_a_loops_step_and_is_used_outside_of_the_loop;
struct a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session;
struct this_is_a_tensor_of_another_dtype_or_number_of_axes;
struct the_elements_of_this_dataset_are_no_inputs_and_targets_of_the_model;
struct this_network_gives_no_row_for_each_sample;
struct one_dataset_validates_evaluate_others_in_a_callback;
struct this_member_of_a_callback_takes_other_arguments;
struct a_sequence_has_a_batch_steps_and_features;
struct a_recurrent_layer_begins_with_all_of_its_states_or_none;
struct a_layer_behind_one_that_gives_several_values_takes_one;
struct no_layer_of_this_sequence_has_this_name;
struct two_layers_in_one_place_have_this_name;
struct variables_of_layers_belong_to_sessions_and_functions_call_the_layer_in_one;
struct this_is_no_loss_of_a_model;
struct this_is_no_metric_of_a_model;
struct two_metrics_of_a_model_have_this_name;
struct slices_are_of_arrays_whose_type_says_how_many_axes_they_have;
struct a_map_returns_what_xtensor_has_not_yet_computed;
struct a_map_returns_nothing;
struct this_function_returns_no_dataset;
struct this_function_does_not_take_the_components_of_an_element;
struct both_datasets_have_components_of_the_same_dtypes_and_ranks;
struct elements_are_unbatched_along_a_first_axis_which_a_number_lacks;
struct only_a_scalar_is_true_or_false_use_reduce_any_or_reduce_all;
struct the_rank_of_this_tensor_is_not_known_to_the_compiler_convert_it_to_one_first;
struct this_change_would_give_another_dtype_cast_what_stands_on_the_right;
struct this_change_would_give_another_number_of_axes;

namespace detail {
template <reason>
struct reason_type;
#define ETCH_REASON(NAME, SENTENCE)  \
  template <>                        \
  struct reason_type<reason::NAME> { \
    using type = ::etch::NAME;       \
  };
ETCH_REASONS(ETCH_REASON)
#undef ETCH_REASON
}  // namespace detail

/// The sentence of a reason, for run time.
constexpr const char* sentence(reason r) {
  switch (r) {
    case reason::none: return "nothing is wrong";
#define ETCH_REASON(NAME, SENTENCE) \
  case reason::NAME: return SENTENCE;
      ETCH_REASONS(ETCH_REASON)
#undef ETCH_REASON
  }
  return "";
}
#undef ETCH_REASONS

/// Where it happened, and what was there.
template <class Op>
struct in_op;
template <fixed_string Name>
struct in_function;
template <fixed_string Name>
struct host_call_named;
template <fixed_string Name>
struct variable_named;
template <fixed_string Path>
struct layer_named;
template <fixed_string Path>
struct in_scope_named;
template <class T, class Shape>
struct operand;
template <fixed_string Name, class T, class Shape>
struct slot_named;
template <fixed_string Name, class T, class Shape>
struct expression_named;
template <class T>
struct run_time_value;
template <class... What>
struct expected;
template <class... What>
struct got;
/// What one graph has room for: names of extents, and extents that are not plain numbers.
template <int Count>
struct names_at_most;
template <int Count>
struct extents_made_of_them_at_most;
/// What names an axis in an einsum.
template <char Letter>
struct letter;
/// A number of axes, and of operands.
template <int Count>
struct number_of_axes;
template <int Count>
struct number_of_operands;
template <class Backend>
struct on_backend;
template <auto Value>
struct literal_value;
/// Something in braces that may be anything.
struct braces;
/// What would be right, as it is written in a program.
template <fixed_string Text>
struct instead_write;

/// In place of an operand that is made of a call that was refused: what it is wrong for was said there.
struct refused_operand;

/// Never defined: a use of it is the error message. See `raise`.
template <class Reason, class... Facts>
struct graph_error;

/// `raise<reason, facts...>();` is a compile error that shows the facts, once for the same facts. What fails is a local
/// class, neither this function nor the one that calls it. So that one can go on with something harmless, also in a
/// constant, and one mistake stays one error: what is made of something refused is not refused again. It gives false, for what asks
/// whether a call is right.
template <class Reason, class... Facts>
constexpr bool raise() {
  if constexpr (!(std::is_same_v<Facts, refused_operand> || ...)) {
    struct message : graph_error<Reason, Facts...> {};
  }
  return false;
}

/// What etch throws at run time: an extent bound twice, a closed session, an uninitialised variable, a wrong shape.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws an `error` whose text is formatted as by printf in the C locale. One function, not inlined: strings that are joined
/// where each error is thrown were a fifth of a small program's compile time.
[[noreturn, gnu::noinline, gnu::cold, gnu::format(printf, 1, 2)]] inline void fail(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const std::string text = detail::formatted_list(format, arguments);
  va_end(arguments);
  throw error(text);
}

}  // namespace etch
