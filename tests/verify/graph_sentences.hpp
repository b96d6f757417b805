// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/verify.hpp>

namespace etch {

/// What a test prints of an invariant that is broken.
constexpr const char* sentence(graph_invariant i) {
  switch (i) {
    case graph_invariant::none: return "nothing is broken";
    case graph_invariant::types_have_a_dtype_and_at_most_8_axes:
      return "a type has a dtype that is none of ours, or not 0 to 8 axes";
    case graph_invariant::extents_are_counts_or_in_the_table: return "an extent is neither a count nor in the table of named ones";
    case graph_invariant::each_type_is_there_once: return "a type is in the table twice";
    case graph_invariant::nodes_have_ops: return "a node has no op";
    case graph_invariant::operands_lie_in_their_pool: return "a node's operands lie outside of their pool";
    case graph_invariant::words_lie_in_their_pool: return "a node's words lie outside of their pool, or are more than ops may have";
    case graph_invariant::types_are_in_the_table: return "a node's type is not in the table";
    case graph_invariant::operands_come_before_users: return "an operand does not come before the node that uses it";
    case graph_invariant::ops_have_as_many_operands_as_they_take: return "a node has another number of operands than its op takes";
    case graph_invariant::ops_have_as_many_words_as_they_name: return "a node has another number of words than its op names";
    case graph_invariant::attributes_are_in_range: return "an attribute is out of range";
    case graph_invariant::only_groups_and_regions_have_no_value:
      return "a node other than a group or a region has no value, or one of these has";
    case graph_invariant::regions_are_sound: return "a loop, a branch, or a value of one, is not what its sub-graphs make it";
    case graph_invariant::bodies_read_nothing_else: return "a node reads another body's node, not a parameter";
    case graph_invariant::slots_have_content: return "a placeholder has no content, or a variable no slot";
    case graph_invariant::types_are_what_the_op_infers: return "a node's type is not what its op gives for its operands";
    case graph_invariant::assignments_are_of_variables: return "what is assigned is no variable";
    case graph_invariant::fetches_are_nodes: return "a fetch is no node";
    case graph_invariant::values_are_assigned_to_variables_of_their_type:
      return "what a run leaves in a variable is no node of its type, or of the type of the slice that is assigned";
    case graph_invariant::no_gradient_is_left: return "a gradient has not been expanded";
    case graph_invariant::every_node_is_needed: return "nothing needs a node";
    case graph_invariant::equal_nodes_are_one: return "two nodes compute the same";
    case graph_invariant::no_effect_is_left: return "an effect is still a node, or a variable is assigned twice";
    case graph_invariant::operands_of_kernels_lie_in_memory: return "an operand that must lie in memory has none";
    case graph_invariant::no_region_is_left: return "a loop or a branch has not become a call";
    case graph_invariant::parameters_stay_in_their_loops: return "a result depends on the parameter of a loop, outside of that";
    case graph_invariant::fetches_are_computed_once: return "a fetch is no kernel's result, or is fetched twice";
  }
  return "";
}

}  // namespace etch
